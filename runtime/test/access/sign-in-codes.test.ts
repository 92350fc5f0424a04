import t from 'tap'
import { endToken, removeEndedCodes, storeCode, storeToken, useCode } from '../../src/access/store.ts'
import type { Query } from '../../src/database/database.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'

const now = new Date('2026-11-26T12:00:00.000Z')
const later = (ms: number): Date => new Date(now.getTime() + ms)
const tokenId = '00000000-0000-4000-8000-000000000001'
const minutes = 60_000

/** Stores a code of a token and returns its hash. */
async function makeCode (query: Query, parentHash: string): Promise<string> {
  const hash = `code of ${parentHash}`
  await storeCode(query, {
    hash,
    parentHash,
    name: 'ada',
    scope: 'operate',
    createdAt: now,
    expiresAt: later(10 * minutes)
  })
  return hash
}

async function makeToken (query: Query, expiresAt: Date | null = null): Promise<string> {
  const hash = 'a named token'
  const names = { name: 'ada', createdBy: '(own token)', scope: 'operate' } as const
  await storeToken(query, { id: tokenId, hash, createdAt: now, expiresAt, parentHash: null, ...names })
  return hash
}

for (const kind of kinds(t)) {
  t.test(`a sign-in code stands for its token, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database
    const codesLeft = async () => (await query('select from sign_in_codes')).length
    t.beforeEach(() => jobs.clear())

    t.test('two requests with one code: one of them gets the token', async t => {
      const end = later(90 * 24 * 60 * minutes)
      const parentHash = await makeToken(query, end)
      const code = await makeCode(query, parentHash)
      const found = await Promise.all([useCode(query, code, now, []), useCode(query, code, now, [])])

      t.strictSame(found.filter(token => token !== undefined), [
        { parentHash, tokenId, name: 'ada', scope: 'operate', expiresAt: end.toISOString() }
      ])
      t.equal(await useCode(query, code, now, []), undefined)
    })

    t.test('a code is worth nothing once its token is revoked or over', async t => {
      const parentHash = await makeToken(query, later(minutes))
      t.equal(await useCode(query, await makeCode(query, parentHash), later(minutes), []), undefined, 'over')
      t.equal(await codesLeft(), 0, 'it works at no other time either')

      const code = await makeCode(query, parentHash)
      await endToken(query, tokenId, now)
      t.equal(await useCode(query, code, now, []), undefined, 'revoked')
    })

    t.test("a code of the hub's own token ends with the token", async t => {
      const before = await makeCode(query, 'the former token')
      const during = await makeCode(query, 'the present token')

      t.match(await useCode(query, during, now, ['the present token', 'the former token']), {
        tokenId: null,
        expiresAt: null,
        scope: 'operate'
      })
      t.equal(await useCode(query, before, now, ['the present token']), undefined)
    })

    t.test('a code ends after its time, and the cleaning removes it then', async t => {
      const parentHash = await makeToken(query)
      const code = await makeCode(query, parentHash)
      await removeEndedCodes(query, later(10 * minutes - 1))
      t.equal(await codesLeft(), 1)
      t.equal(await useCode(query, code, later(10 * minutes), []), undefined)

      await makeCode(query, parentHash)
      await removeEndedCodes(query, later(10 * minutes))
      t.equal(await codesLeft(), 0)
    })
  })
}
