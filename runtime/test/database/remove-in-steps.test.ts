import t from 'tap'
import { removeInSteps } from '../../src/database/remove-in-steps.ts'

/** A table of so many rows, and the limit of each statement that deletes from it. */
function table (rows: number) {
  const limits: unknown[] = []
  let left = rows
  return {
    limits,
    async query<Row extends object> (_text: string, [limit]: readonly unknown[] = []): Promise<Row[]> {
      limits.push(limit)
      const removed = Math.min(left, Number(limit))
      left -= removed
      return Array<Row>(removed)
    }
  }
}

for (const [rows, statements] of [[0, 1], [999, 1], [1_000, 2], [2_500, 3]] as const) {
  t.test(`${rows} rows are removed by ${statements} statements of at most a thousand`, async t => {
    const { query, limits } = table(rows)

    t.equal(await removeInSteps(query, 'delete'), rows)
    t.strictSame(limits, Array.from({ length: statements }, () => 1_000))
  })
}
