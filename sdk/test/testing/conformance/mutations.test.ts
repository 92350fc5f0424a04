import t from 'tap'
import type { Check } from '../../../src/testing/conformance/check.ts'
import { checks as all } from '../../../src/testing/conformance/checks.ts'
import { experimentsOf, runChecks } from '../../../src/testing/conformance/run-conformance.ts'
import { createSubject } from '../../../src/testing/conformance/subject.ts'
import { limits } from './find-faults.ts'
import { goodAdapter, writeAdapter } from './good-adapter.ts'
import { failsOn, mutations, twoQuantities } from './mutations.ts'
import { here } from './run-here.ts'

// Checks over recordings need recorded adapters: level-3.slow.test.ts has the table of them.
const checks = all.filter(({ level }) => level < 3)

t.test('every check has a mutation that it exists for', async t => {
  t.strictSame(Object.keys(mutations), checks.map(({ id }) => id))
})

/** Faults of the package and of the start show with every platform, so try these few. */
const fewExperiments: ReadonlySet<string> = new Set(['404', 'JSON null', 'JSON of another shape'])
/** An answer that never ends costs more than all others: try it with its own mutation only. */
const endless = 'L2-ERR-19'

function planFor (id: string): { wanted: readonly Check[], experiments: ReadonlySet<string> } {
  const isPart = ({ experiments = [] }: Check): boolean =>
    experiments === 'all' || experiments.every(name => fewExperiments.has(name))
  if (id.startsWith('L1-')) return { wanted: checks.filter(isPart), experiments: fewExperiments }
  const wanted = checks.filter(check => check.id !== endless || id === endless)
  return { wanted, experiments: experimentsOf(wanted.filter(({ experiments }) => experiments !== 'all')) }
}

t.test('levels of one stock may have any quantity when the shop does not count it', async t => {
  const { directory, remove } = await writeAdapter(twoQuantities(false)(goodAdapter()))
  t.teardown(remove)
  const wanted = checks.filter(({ id }) => id === 'L2-ANS-03')
  const subject = await createSubject(directory, fewExperiments, limits, here)

  t.match(await runChecks(subject, wanted), [{ status: 'passed' }])
})

t.test('each check fails on its mutation, names the fault, and no other check fails', { jobs: 6 }, async t => {
  for (const [id, mutation] of Object.entries(mutations).filter(([, { needsThread }]) => needsThread !== true)) {
    t.test(`${id}: ${mutation.fault}`, { buffered: true }, async t => {
      const { directory, remove } = await writeAdapter(mutation.spoil(goodAdapter()))
      t.teardown(remove)
      const { wanted, experiments } = planFor(id)
      const subject = await createSubject(directory, experiments, limits, here)

      failsOn(t, id, await runChecks(subject, wanted))
    })
  }
})
