import { conformanceChecks, runConformance } from '@linker/sdk/testing'
import t from 'tap'
import { limits } from './find-faults.ts'
import { goodAdapter, writeAdapter } from './good-adapter.ts'
import { failsOn, mutations } from './mutations.ts'

/** Judges the package and its import, or the least of the calls: this is cheap in a thread. */
const others = conformanceChecks.filter(({ experiments = [] }) => experiments !== 'all' && experiments.length < 2)
  .map(({ id }) => id).filter(id => !/^L2-ERR-(?!01|20)/.test(id))

t.test('each check fails on its mutation in a thread, names the fault, and no other check fails', {
  jobs: 3
}, async t => {
  for (const [id, mutation] of Object.entries(mutations).filter(([, { needsThread }]) => needsThread === true)) {
    t.test(`${id}: ${mutation.fault}`, { buffered: true }, async t => {
      const { directory, remove } = await writeAdapter(mutation.spoil(goodAdapter()))
      t.teardown(remove)
      const only = [...others, id, ...mutation.also ?? []]
      const { checks } = await runConformance(directory, { only, limits })

      failsOn(t, id, checks)
    })
  }
})
