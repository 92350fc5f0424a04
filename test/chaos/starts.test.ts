import t from 'tap'
import { availableModes } from '../support/modes.ts'
import { buildNewerHub } from '../support/newer-hub.ts'
import { killStarts, startsOf } from './starts.ts'

const { command, remove } = await buildNewerHub()
t.teardown(remove)

// A short version of `npm run chaos -- starts`. Both modes with PostgreSQL have the same database.
for (const mode of availableModes(process.env).filter(name => name !== 'full')) {
  for (const start of startsOf(mode)) {
    t.test(`${mode}: a hub that was killed in its start starts again, ${start}`, async t => {
      const { counts, failures } = await killStarts({
        mode,
        environment: process.env,
        start,
        newer: command,
        points: 2
      })

      t.ok(counts.killed > 0, JSON.stringify(counts))
      t.strictSame(failures, [])
      t.equal(counts.drafts, 0)
    })
  }
}
