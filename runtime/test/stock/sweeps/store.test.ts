import { randomUUID } from 'node:crypto'
import t from 'tap'
import { recordReferences } from '../../../src/catalog/record-products.ts'
import type { Query } from '../../../src/database/database.ts'
import { encodeCursor, type Position } from '../../../src/http/paging.ts'
import { byVariant } from '../../../src/stock/record-stock.ts'
import {
  countMissing,
  countUnseen,
  findDifferences,
  listMissing,
  listUnseen,
  listSweeps,
  markSeen,
  readLastSweeps,
  type Sweep
} from '../../../src/stock/sweeps/store.ts'
import { openSweep } from '../../../src/stock/sweeps/sweep.ts'
import { kinds, openJobsFor } from '../../jobs/support.ts'
import { longAgo, openMarket } from '../../offers/market.ts'

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
      await planOf(query => listMissing(query, sweep, 4)),
      await planOf(query => listUnseen(query, sweep.connectionId, [randomUUID()], 4))
    ]
    for (const plan of plans) {
      t.match(plan, /hashed SubPlan/)
      t.notMatch(plan, /Anti Join/)
    }
  })

  t.test(`what a sweep compares, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database } = jobs
    const { query } = database
    const level = (variantExternalId: string, quantity: number) => {
      return { productExternalId: 'p', variantExternalId, quantity }
    }

    t.test('differs in its quantity, is missing or is unknown, unless a later reading has found it', async t => {
      const { shop, variantIdOf } = await openMarket(jobs, ['same', 'other', 'later', 'missing'])
      await recordReferences(database, [{ connectionId: shop, ...level('unread', 0) }])
      await query('update stock set read_at = $1 where variant_id <> $2', [longAgo, variantIdOf('later')])
      await query('update variants set missing_at = now() where external_id = $1', ['missing'])
      const names = ['same', 'other', 'later', 'missing', 'unread', 'unknown']
      const quantities: Record<string, number> = { other: 4, later: 4 }
      const levels = byVariant(shop, names.map(name => level(name, quantities[name] ?? 5)))
      const differing = async (readAt: string | null) => {
        const found = new Map((await findDifferences(query, levels, readAt)).map(({ id, from }) => [id, from]))
        return names.flatMap(name => found.has(variantIdOf(name)) ? [[name, found.get(variantIdOf(name))]] : [])
      }
      const unknown = [['missing', 5], ['unread', null], ['unknown', null]]

      t.strictSame(await differing('2025-06-01T00:00:00Z'), [['other', 5], ...unknown])
      t.strictSame(await differing(null), [['other', 5], ['later', 5], ...unknown], 'a preview reads just now')
    })

    t.test('is missing when no page named it, unless it is newer than the sweep', async t => {
      const names = ['seen', 'unseen', 'new', 'read', 'missing'] as const
      const { shop, variantIdOf } = await openMarket(jobs, [...names])
      await query('update variants set created_at = $1 where external_id <> $2', [longAgo, 'new'])
      await query('update stock set read_at = $1 where variant_id <> $2', [longAgo, variantIdOf('read')])
      await query('update variants set missing_at = now() where external_id = $1', ['missing'])
      const running = await openSweep(query, shop, randomUUID(), 'shop.api.v1@1.0.0')
      if (running === undefined) throw new Error('no sweep was opened')
      const begun: Sweep = { ...running, startedAt: '2025-06-01T00:00:00Z' }
      await markSeen(query, begun, [variantIdOf('seen')])

      t.strictSame(await countMissing(query, begun), { known: 2, missing: 1 })
      t.strictSame(await listMissing(query, begun, 10), [{
        externalId: 'p',
        variants: [{ id: variantIdOf('unseen'), externalId: 'unseen' }]
      }])
      t.strictSame(await listMissing(query, begun, 0), [])
      t.strictSame(await countUnseen(query, shop, [variantIdOf('seen'), variantIdOf('new')]), { known: 4, missing: 2 })
    })

    t.test('is listed newest first, page by page', async t => {
      const [shop, other] = [await jobs.addConnection(), await jobs.addConnection()]
      const [old, ...equal] = [randomUUID(), randomUUID(), randomUUID()]
      const ids = [...equal.toSorted(), old ?? '']
      const insert = 'insert into inventory_sweeps (id, connection_id, started_at, finished_at) values ($1, $2, $3, $3)'
      const times = ['2025-02-01T00:00:00.000Z', '2025-02-01T00:00:00.000Z', longAgo]
      for (const [index, id] of ids.entries()) await query(insert, [id, shop, times[index]])
      await query("update inventory_sweeps set outcome = 'held', problem = 'too many' where id = $1", [old])
      await openSweep(query, other, randomUUID(), 'shop.api.v1@1.0.0')
      const list = async (limit: number, after?: Position) => {
        const cursor = after === undefined ? {} : { cursor: encodeCursor(after) }
        return (await listSweeps(query, { connectionId: shop, limit, ...cursor })).map(({ id }) => id)
      }

      t.strictSame(await list(50), ids)
      t.strictSame(await list(2), ids.slice(0, 2))
      t.strictSame(await list(50, { createdAt: times[0] ?? '', id: ids[0] ?? '' }), ids.slice(1))
      const all = await listSweeps(query, { limit: 50 })
      t.match(all[0], { connectionId: other, status: 'running', finishedAt: null })
      t.match(all.at(-1), { status: 'held', problem: 'too many', startedAt: longAgo, finishedAt: longAgo })
    })

    t.test('tells the newest one and the newest complete one', async t => {
      const shop = await jobs.addConnection()
      const add = async (startedAt: string, outcome: string | null): Promise<string> => {
        const id = randomUUID()
        const finishedAt = outcome === null ? null : startedAt
        const values = [id, shop, startedAt, finishedAt, outcome]
        await query(
          `insert into inventory_sweeps (id, connection_id, started_at, finished_at, outcome)
           values ($1, $2, $3, $4, $5)`,
          values
        )
        return id
      }
      t.strictSame(await readLastSweeps(query, shop), { last: undefined, complete: undefined })
      await add('2025-01-01T00:00:00.000Z', 'complete')
      const complete = await add('2025-01-02T00:00:00.000Z', 'complete')
      t.match(await readLastSweeps(query, shop), { last: { id: complete }, complete: { id: complete } })
      const last = await add('2025-01-03T00:00:00.000Z', 'held')
      await add('2025-01-04T00:00:00.000Z', null)

      t.match(await readLastSweeps(query, shop), { last: { id: last, status: 'held' }, complete: { id: complete } })
    })
  })
}
