import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Query } from '../../../src/database/database.ts'
import { countMissing, countUnseen, listMissing, type Sweep } from '../../../src/stock/sweeps/store.ts'
import { kinds, openJobsFor } from '../../jobs/support.ts'

const sweep: Sweep = {
  id: randomUUID(),
  connectionId: randomUUID(),
  phase: 'missing',
  cursor: null,
  acceptMissing: false,
  steps: 0,
  pages: 0,
  seen: 0,
  changed: 0,
  missing: 0,
  startedAt: '2026-01-01T00:00:00Z'
}

for (const kind of kinds(t)) {
  t.test(`missing variants are found with a hash of the seen ids, not by comparing all pairs, ${kind}`, async t => {
    const { database } = await openJobsFor(t, kind)

    /** Returns the plans of the statements that `read` runs. */
    async function planOf (read: (query: Query) => Promise<unknown>): Promise<string> {
      const lines: string[] = []
      await read(async (text, values) => {
        const rows = await database.query<{ 'QUERY PLAN': string }>(`explain (verbose) ${text}`, values)
        lines.push(...rows.map(row => row['QUERY PLAN']))
        return []
      })
      return lines.join('\n')
    }

    const plans = [
      await planOf(query => countMissing(query, sweep)),
      await planOf(query => countUnseen(query, sweep.connectionId, [randomUUID()])),
      await planOf(query => listMissing(query, sweep, 4))
    ]
    for (const plan of plans) {
      t.match(plan, /hashed SubPlan/)
      t.notMatch(plan, /Anti Join/)
    }
  })
}
