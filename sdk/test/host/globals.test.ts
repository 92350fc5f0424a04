import { guardGlobals } from '@linker/sdk/host'
import t from 'tap'

const names = (changed: readonly { name: string, isBack: boolean }[]): [string, boolean][] =>
  changed.map(({ name, isBack }) => [name, isBack])

t.test('a quick look restores a replaced function and reports it once', async t => {
  const { hypot } = Math
  const guard = guardGlobals()
  const patched = (): number => 7
  Math.hypot = patched

  t.strictSame(guard.restore('quick'), [{ name: 'Math.hypot', value: patched, isBack: true }])
  t.equal(Math.hypot, hypot)
  t.strictSame(guard.restore('thorough'), [])
})

t.test('a replaced namespace, a removed member and a member named by a symbol are restored', async t => {
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

t.test('a thorough look finds accessors and new members', async t => {
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

t.test('new globals, and the format of stacks, are not reported', async t => {
  const guard = guardGlobals()
  Reflect.set(globalThis, 'linkerTestGlobal', 1)
  const { prepareStackTrace } = Error
  Error.prepareStackTrace = prepareStackTrace

  t.strictSame(guard.restore('thorough'), [])
  Reflect.deleteProperty(globalThis, 'linkerTestGlobal')
})

t.test('globals that Node creates when they are first read are not reported', async t => {
  const guard = guardGlobals()

  t.type(new Headers(), 'object')
  t.type(crypto.randomUUID(), 'string')
  t.strictSame(guard.restore('thorough'), [])
})

t.test('a change that cannot be undone is reported once, and marked as such', async t => {
  const guard = guardGlobals()
  Object.defineProperty(Math, 'cbrt', { value: Math.cbrt.bind(Math), configurable: false, writable: false })

  t.strictSame(names(guard.restore('quick')), [['Math.cbrt', false]])
  t.strictSame(guard.restore('thorough'), [])
})
