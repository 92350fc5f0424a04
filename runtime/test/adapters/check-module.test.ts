import { contractVersion } from '@linker/sdk'
import type { AdapterDescription } from '@linker/sdk/host'
import t from 'tap'
import { checkModule } from '../../src/adapters/check-module.ts'
import { createChecked, type Checked } from '../../src/adapters/checked.ts'
import type { AdapterPackage } from '../../src/adapters/discover.ts'
import { LoadError, type AdapterProblem, type Fail } from '../../src/adapters/states.ts'
import { fakeAdapter } from '../connections/support.ts'

const fail: Fail = (state, code, message) => new LoadError({ state, code, message })

/** The reason for which the hub does not take an adapter. */
function refusalOf (
  described: Partial<AdapterDescription>,
  { patched = [], ...found }: Partial<AdapterPackage> & { patched?: string[] } = {},
  checked?: Checked
): AdapterProblem | undefined {
  const adapter = fakeAdapter({ described })
  try {
    checkModule({ ...adapter, ...found }, { description: adapter.description, patched }, fail, checked)
    return undefined
  } catch (error) {
    if (error instanceof LoadError) return error.problem
    throw error
  }
}

t.test('an adapter of this contract without faults is taken', async t => {
  t.equal(refusalOf({}), undefined)
})

t.test('an import that replaces globals is refused, and five of them are named', async t => {
  const patched = ['JSON.parse', 'a', 'b', 'c', 'd', 'the sixth']

  t.match(refusalOf({}, { patched }), {
    state: 'invalid',
    code: 'LNK_ADAPTER_GLOBALS_PATCHED',
    message: /JSON\.parse, a, b, c, d,/
  })
})

t.test('a copy of the SDK with another contract is refused, unless the operator wants it', async t => {
  const described = { contractVersion: '99.0.0' }

  t.match(refusalOf(described), { state: 'incompatible', code: 'LNK_ADAPTER_INCOMPATIBLE' })
  t.equal(refusalOf(described, { warning: 'the operator wants it loaded' }), undefined)
  t.equal(refusalOf({ contractVersion }), undefined)
})

t.test('all faults are told at once, with the code of the first', async t => {
  const problem = refusalOf({ capabilities: { OfferManager: ['createOffer'] }, jobs: { 'mail.send': {} } })

  t.match(problem, { state: 'invalid', code: 'LNK_ADAPTER_SHAPE_INVALID' })
  t.ok((problem?.message.split('; ').length ?? 0) >= 2)
})

t.test("routes that stand in each other's way are a conflict", async t => {
  const route = { method: 'GET', path: '/status', auth: 'public', schema: {} } as const
  const problem = refusalOf({ routes: [route, route] }, {
    manifest: { ...fakeAdapter().manifest, permissions: { routes: true } }
  })

  t.match(problem, { state: 'conflicting', code: 'LNK_ADAPTER_ROUTE_CONFLICT' })
})

for (
  const [from, to, isRight] of [
    ['feed.api.v1', '2.0.0', true],
    ['feed.api.v1@^1.2.0', '2.0.0', true],
    ['feed.api.v1@<2.0.0', '2.0.0-rc.1', true],
    ['feed.api', '2.0.0', false],
    ['Feed.api.v1', '2.0.0', false],
    ['feed.api.v1@new', '2.0.0', false],
    ['feed.api.v1', '2.0', false],
    ['feed.api.v1', '^2.0.0', false]
  ] as const
) {
  t.test(`a migration from ${from} to ${to} is ${isRight ? 'taken' : 'a misspelling'}`, async t => {
    const problem = refusalOf({ migrations: [{ from, to, isReversible: false }] })

    t.equal(problem?.code, isRight ? undefined : 'LNK_ADAPTER_SHAPE_INVALID')
  })
}

t.test('an adapter without faults is not checked again, one with faults is', async t => {
  const counted = { asked: 0, added: 0 }
  const memory = createChecked(t.testdir(), 'the code of the checks')
  const checked: Checked = {
    has (subject) {
      counted.asked += 1
      return memory.has(subject)
    },
    add (subject) {
      counted.added += 1
      memory.add(subject)
    }
  }
  const bad = { jobs: { 'mail.send': {} } }

  t.equal(refusalOf({}, {}, checked), undefined)
  t.equal(refusalOf({}, {}, checked), undefined)
  t.same(counted, { asked: 2, added: 1 })
  t.match(refusalOf(bad, {}, checked), { state: 'invalid' })
  t.match(refusalOf(bad, {}, checked), { state: 'invalid' })
  t.same(counted, { asked: 4, added: 1 })
})

t.test('what does not depend on the checks of the SDK is looked at each time', async t => {
  const checked: Checked = { has: () => true, add: () => undefined }

  t.match(refusalOf({}, { patched: ['JSON.parse'] }, checked), { code: 'LNK_ADAPTER_GLOBALS_PATCHED' })
  t.match(refusalOf({ contractVersion: '99.0.0' }, {}, checked), { code: 'LNK_ADAPTER_INCOMPATIBLE' })
  t.match(refusalOf({ migrations: [{ from: 'misspelt', to: '1', isReversible: false }] }, {}, checked), {
    state: 'invalid'
  })
})
