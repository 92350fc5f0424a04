import { randomUUID } from 'node:crypto'
import t from 'tap'
import { acceptMissing, markSeen } from '../../../src/stock/sweeps/store.ts'
import { advanceSweep, finishSweep, holdSweep, openSweep, SweepTakenError } from '../../../src/stock/sweeps/sweep.ts'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'

const adapter = 'shop.api.v1@1.0.0'

t.test('a sweep over the stock of a shop', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database

  async function open () {
    const shop = await jobs.addConnection()
    const id = randomUUID()
    const sweep = await openSweep(query, shop, id, adapter)
    if (sweep === undefined) throw new Error('no sweep was opened')
    return { shop, id, sweep }
  }
  const stored = (id: string) => query('select outcome, problem, steps from inventory_sweeps where id = $1', [id])

  t.test('is continued by whatever job comes next, and not begun again when it has ended', async t => {
    const { shop, id, sweep } = await open()
    t.match(sweep, { id, connectionId: shop, phase: 'stock', cursor: null, steps: 0, acceptMissing: false })
    t.strictSame(await openSweep(query, shop, randomUUID(), adapter), sweep)

    await finishSweep(query, sweep, 'complete')
    t.equal(await openSweep(query, shop, id, adapter), undefined, 'a repeated job begins no second sweep')
    const next = randomUUID()
    t.match(await openSweep(query, shop, next, adapter), { id: next })
  })

  t.test('is given up when nobody continued it, or when its cursor is of another adapter version', async t => {
    const moved = await open()
    t.match(await openSweep(query, moved.shop, randomUUID(), 'shop.api.v1@2.0.0'), { steps: 0, cursor: null })
    t.match(await stored(moved.id), [{ outcome: 'abandoned', problem: /adapter version/ }])

    const left = await open()
    await query("update inventory_sweeps set touched_at = now() - interval '59 minutes' where id = $1", [left.id])
    t.match(await openSweep(query, left.shop, randomUUID(), adapter), { id: left.id })
    await query("update inventory_sweeps set touched_at = now() - interval '61 minutes' where id = $1", [left.id])
    t.notMatch(await openSweep(query, left.shop, randomUUID(), adapter), { id: left.id })
    t.match(await stored(left.id), [{ outcome: 'abandoned', problem: /for an hour/ }])
  })

  t.test('counts up step by step', async t => {
    const { sweep } = await open()
    const first = await advanceSweep(query, sweep, { phase: 'stock', cursor: 'c1', pages: 1, seen: 200, changed: 3 })
    const second = await advanceSweep(query, first, { phase: 'missing', cursor: null, seen: 7, missing: 2 })

    t.match(first, { cursor: 'c1', steps: 1, pages: 1, seen: 200, changed: 3, missing: 0 })
    t.match(second, { phase: 'missing', cursor: null, steps: 2, pages: 1, seen: 207, changed: 3, missing: 2 })
  })

  t.test('is taken further by one of two runs', async t => {
    const { id, sweep } = await open()
    const step = { phase: 'stock', cursor: 'c1' } as const
    await holdSweep(query, sweep)
    const advanced = await advanceSweep(query, sweep, step)
    await t.rejects(holdSweep(query, sweep), new SweepTakenError())
    await t.rejects(advanceSweep(query, sweep, step), new SweepTakenError())
    await t.rejects(finishSweep(query, sweep, 'complete'), new SweepTakenError())
    t.match(await stored(id), [{ outcome: null, steps: 1 }])
    await finishSweep(query, advanced, 'held', 'too many')
    t.match(await stored(id), [{ outcome: 'held', problem: 'too many' }])
    await t.rejects(holdSweep(query, advanced), new SweepTakenError())
  })

  t.test('forgets its pages at its end, and the sweeps of long ago', async t => {
    const { shop, id, sweep } = await open()
    await markSeen(query, sweep, [randomUUID()])
    await markSeen(query, await advanceSweep(query, sweep, { phase: 'stock', cursor: 'c1' }), [])
    const pages = () => query('select page from inventory_sweep_pages where sweep_id = $1', [id])
    t.match(await pages(), [{ page: 0 }])
    await finishSweep(query, { ...sweep, steps: 1 }, 'complete')
    t.strictSame(await pages(), [])

    const age = 'update inventory_sweeps set finished_at = now() - $2::interval where id = $1'
    await query(age, [id, '13 days'])
    await openSweep(query, shop, randomUUID(), adapter)
    t.equal((await stored(id)).length, 1)
    await query(age, [id, '15 days'])
    await openSweep(query, shop, randomUUID(), adapter)
    t.equal((await stored(id)).length, 0)
  })

  t.test('accepts missing variants when an operator says so, while it runs or before it begins', async t => {
    const { shop, sweep } = await open()
    await acceptMissing(query, shop, randomUUID())
    t.match(await openSweep(query, shop, randomUUID(), adapter), { id: sweep.id, acceptMissing: true })

    await finishSweep(query, sweep, 'complete')
    const next = randomUUID()
    await acceptMissing(query, shop, next)
    t.match(await openSweep(query, shop, randomUUID(), adapter), { id: next, acceptMissing: true })
    await acceptMissing(query, shop, sweep.id)
    t.match(await stored(sweep.id), [{ outcome: 'complete' }])
  })
})
