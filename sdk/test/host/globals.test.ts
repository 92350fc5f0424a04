import { guardGlobals } from '@linker/sdk/host'
import t from 'tap'

const names = (changed: readonly { name: string, isBack: boolean }[]): [string, boolean][] =>
  changed.map(({ name, isBack }) => [name, isBack])

t.test('a function that was replaced is put back by a quick look, and told once', async t => {
  const { hypot } = Math
  const guard = guardGlobals()
  const patched = (): number => 7
  Math.hypot = patched

  t.strictSame(guard.restore('quick'), [{ name: 'Math.hypot', value: patched, isBack: true }])
  t.equal(Math.hypot, hypot)
  t.strictSame(guard.restore('thorough'), [])
})

t.test('a whole namespace, a member that was removed and one with a symbol for its name are put back', async t => {
  const guard = guardGlobals()
  const { Atomics: before } = globalThis
  const { log10 } = Math
  const replace = RegExp.prototype[Symbol.replace]
  Reflect.set(globalThis, 'Atomics', {})
  Reflect.deleteProperty(Math, 'log10')
  RegExp.prototype[Symbol.replace] = () => 'patched'

  t.strictSame(names(guard.restore('quick')).toSorted(), [['Atomics', true], ['Math.log10', true], [
    'RegExp.prototype.Symbol(Symbol.replace)',
    true
  ]])
  t.equal(globalThis.Atomics, before)
  t.equal(Math.log10, log10)
  t.equal(RegExp.prototype[Symbol.replace], replace)
})

t.test('accessors and new members are found by a thorough look', async t => {
  const guard = guardGlobals()
  Object.defineProperty(Map.prototype, 'size', { get: () => 7, configurable: true })
  Object.defineProperty(Array.prototype, 'last', { value: 1, configurable: true })

  t.strictSame(guard.restore('quick'), [])
  t.strictSame(names(guard.restore('thorough')).toSorted(), [['Array.prototype.last', true], [
    'Map.prototype.size',
    true
  ]])
  t.equal(new Map().size, 0)
  t.notOk('last' in [])
})

t.test("new globals, and how stacks are written, are nobody's harm", async t => {
  const guard = guardGlobals()
  Reflect.set(globalThis, 'linkerTestGlobal', 1)
  const { prepareStackTrace } = Error
  Error.prepareStackTrace = prepareStackTrace

  t.strictSame(guard.restore('thorough'), [])
  Reflect.deleteProperty(globalThis, 'linkerTestGlobal')
})

t.test('globals that Node makes when they are first read are no change', async t => {
  const guard = guardGlobals()

  t.type(new Headers(), 'object')
  t.type(crypto.randomUUID(), 'string')
  t.strictSame(guard.restore('thorough'), [])
})

t.test('what cannot be put back is told once, with that', async t => {
  const guard = guardGlobals()
  Object.defineProperty(Math, 'cbrt', { value: Math.cbrt.bind(Math), configurable: false, writable: false })

  t.strictSame(names(guard.restore('quick')), [['Math.cbrt', false]])
  t.strictSame(guard.restore('thorough'), [])
})
