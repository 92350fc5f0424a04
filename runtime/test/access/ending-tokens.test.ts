import t from 'tap'
import { listEndingTokens } from '../../src/access/store.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'

const dayMs = 86_400_000
const now = new Date('2026-11-26T12:00:00.000Z')
const inDays = (days: number): Date => new Date(now.getTime() + days * dayMs)

for (const kind of kinds(t)) {
  t.test(`a token ends soon in its last quarter, in a week at most, ${kind}`, async t => {
    const { database: { query } } = await openJobsFor(t, kind)
    const tokens: [name: string, madeDays: number, endsDays: number][] = [
      ['a week, new', 0, 7],
      ['a week, three quarters over', -5.25, 1.75],
      ['a week, nearly three quarters over', -5.2, 1.8],
      ['a year, eight days left', -357, 8],
      ['a year, seven days left', -358, 7],
      ['over', -33, -3],
      ['long over', -38, -8]
    ]
    for (const [name, made, ends] of tokens) {
      await query(
        `insert into api_tokens (id, name, scope, token_hash, created_at, created_by, expires_at)
        values (gen_random_uuid(), $1, 'read', md5($1), $2, 'ada', $3)`,
        [name, inDays(made), inDays(ends)]
      )
    }
    const span = { endedAfter: inDays(-7), now, soonMs: 7 * dayMs, limit: 100 }
    const found = await listEndingTokens(query, span)

    t.strictSame(found.map(({ name, soonFrom }) => [name, soonFrom]), [
      ['over', inDays(-10).toISOString()],
      ['a week, three quarters over', now.toISOString()],
      ['a year, seven days left', now.toISOString()]
    ])
    t.strictSame((await listEndingTokens(query, { ...span, limit: 1 })).map(({ name }) => name), ['over'])
  })
}
