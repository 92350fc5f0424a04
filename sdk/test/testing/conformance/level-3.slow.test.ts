import { conformanceChecks, runConformance } from '@linker/sdk/testing'
import t, { type Test } from 'tap'
import { badRecordedAdapters } from './bad-recorded-adapters.ts'
import { limits } from './find-faults.ts'
import { goodAdapter, writeAdapter } from './good-adapter.ts'
import { filesOf, recordedAdapter, type RecordedPackage } from './recorded-adapter.ts'

const level3 = conformanceChecks.filter(({ level }) => level === 3).map(({ id }) => id)

async function check (t: Test, adapter: RecordedPackage, only: readonly string[]) {
  const { directory, remove } = await writeAdapter(adapter, filesOf(adapter))
  t.teardown(remove)
  return runConformance(directory, { only, limits })
}

t.test('an adapter that is good with its recordings passes every check of level 3', async t => {
  const { checks } = await check(t, recordedAdapter(), [...level3, 'L1-MAN-06', 'L1-MAN-08'])

  t.strictSame(checks.filter(({ status }) => status !== 'passed'), [])
})

t.test('every check of level 3 has a bad adapter', async t => {
  const failing = new Set(badRecordedAdapters.map(bad => bad.check))

  t.strictSame(level3.filter(id => !failing.has(id)), [])
})

t.test('without recordings the checks of level 3 are skipped, each with a reason', async t => {
  const { directory, remove } = await writeAdapter(goodAdapter())
  t.teardown(remove)
  const { checks, isPassed } = await runConformance(directory, { only: level3, limits })

  t.ok(isPassed)
  t.strictSame(
    checks.map(({ id, status, reason }) => [id, status, reason]),
    level3.map(id => [id, 'skipped', 'linker.conformance.json has no fixtures'])
  )
})

t.test('a check is skipped when no recording can show its fault', async t => {
  const good = recordedAdapter()
  const [, , events] = good.settings.fixtures as object[]
  const { checks } = await check(t, { ...good, settings: { ...good.settings, fixtures: [events] } }, level3)

  t.strictSame(Object.fromEntries(checks.map(({ id, status, reason }) => [id, reason ?? status])), {
    'L3-FIX-01': 'passed',
    'L3-PAG-01': 'no fixture is a listing with a second page',
    'L3-PAG-02': 'no fixture is a listing with a second page',
    'L3-PAG-03': 'no fixture is a listing whose second page is one request',
    'L3-PAG-04': 'no fixture is a listing whose second page is a list in JSON',
    'L3-PAG-05': 'no fixture is a listing whose second page is one request',
    'L3-WRT-01': 'no fixture is a write with "runs": 2',
    'L3-WRT-02': 'no fixture with "runs": 2 is a write that must not be sent twice',
    'L3-WRT-03': 'no fixture has "whileOpen"',
    'L3-WRT-04': 'no fixture of OrderProcessorManager.updateOrder has "runs": 2',
    'L3-EVT-01': 'passed'
  })
})

t.test('a fixture that names no call, and a recording that cannot be read, are named', async t => {
  const good = recordedAdapter()
  const fixtures = good.settings.fixtures as object[]
  const misnamed = { ...good.settings, fixtures: [...fixtures, { ...fixtures[0], call: 'ProductMaster.listGoods' }] }
  const missing = { ...good.settings, fixtures: [{ ...fixtures[0], recording: 'fixtures/none.json' }] }
  const broken = { ...good, recordings: { ...good.recordings, 'fixtures/order.json': JSON.parse('{"exchanges":7}') } }
  const faultsOf = async (adapter: RecordedPackage): Promise<string[]> =>
    (await check(t, adapter, ['L1-MAN-08'])).checks.flatMap(({ findings }) => findings.map(({ message }) => message))

  t.match(await faultsOf({ ...good, settings: misnamed }), [
    /fixtures\/6\/call: 'ProductMaster\.listGoods' is not a call/
  ])
  t.strictSame(await faultsOf({ ...good, settings: missing }), ['fixtures/none.json cannot be read'])
  t.match(await faultsOf(broken), [/^fixtures\/order\.json is no recording: \/exchanges/])
})

t.test('a recording that is not published is named', async t => {
  const good = recordedAdapter()
  const packageJson = { ...good.packageJson, files: ['index.js', 'linker.conformance.json'] }
  const { checks } = await check(t, { ...good, packageJson }, ['L1-MAN-06'])

  t.match(checks, [{
    status: 'failed',
    findings: [{ message: 'files does not take fixtures/products.json' }, {}, {}, {}, {}, {}]
  }])
})

t.test('each check of level 3 finds the adapters that it is there for', { jobs: 3 }, async t => {
  t.strictSame([...new Set(badRecordedAdapters.map(bad => bad.check))], level3)
  for (const bad of badRecordedAdapters) {
    t.test(`${bad.check}: ${bad.how}`, { buffered: true }, async t => {
      const { checks, isPassed } = await check(t, bad.spoil(recordedAdapter()), [bad.check])

      t.match(checks, [{ status: 'failed' }])
      t.ok(checks.flatMap(({ findings }) => findings).every(({ message }) => message.length > 5))
      t.notOk(isPassed)
    })
  }
})
