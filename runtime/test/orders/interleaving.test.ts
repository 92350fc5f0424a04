import type { Order, OrderLine } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { variantIdOf } from '../../src/catalog/identity.ts'
import type { Transaction } from '../../src/database/database.ts'
import { ingestOrder, orderIdOf } from '../../src/orders/ingest-order.ts'
import { recordStock } from '../../src/stock/record-stock.ts'
import { kinds, openJobsFor, type Jobs } from '../jobs/support.ts'
import { orderOf } from './journal.ts'
import { openSale, readStock } from './sale.ts'

const selectEffects = `
  select
    (
      select count(*)
      from jobs
      where job_type = 'master.order.create' and payload ->> 'orderId' = orders.id::text
    )::integer as created,
    (select count(*) from order_lines where order_id = orders.id and is_reserved)::integer as lines
  from orders
  where id = $1`

// The embedded database has one connection, so that two transactions are never open at once.
for (const kind of kinds(t).filter(name => name === 'postgres')) {
  t.test(`one order read twice at once, the first reading stopped before each of its statements, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database, addConnection } = jobs
    const [shop, market] = [await addConnection(), await addConnection()]
    await database.query(
      'update connections set capabilities = \'["InventoryMaster", "OrderProcessorManager"]\' where id = $1',
      [shop]
    )
    const [{ now = '' } = {}] = await database.query<{ now: string }>('select clock_timestamp()::text as now')
    await recordStock(database, { id: randomUUID(), connectionId: shop, claimedAt: now }, [{
      productExternalId: 'p',
      variantExternalId: 'v',
      quantity: 1_000
    }])
    const variantId = variantIdOf(shop, 'p', 'v')
    await database.query(
      `
      insert into offers (
        id, connection_id, variant_id, external_id, status,
        frozen_fields, problems, created_at, updated_at
      )
      values ($1, $2, $3, 'offer-1', 'ACTIVE', '[]', '[]', now(), now())`,
      [randomUUID(), market, variantId]
    )

    const readTwice = async (order: Order, stopBefore: number): Promise<{ statements: number, news: boolean[] }> => {
      const stop = stopping(stopBefore)
      const first = read(jobs, market, order, { wrap: stop.wrap })
      await Promise.race([stop.reached, first])
      const second = read(jobs, market, order)
      const ended = new AbortController()
      second.then(() => {
        ended.abort()
      }, () => {
        ended.abort()
      })
      await waiting(jobs, ended.signal)
      stop.goOn()
      const results = await Promise.all([first, second])
      return { statements: stop.statements(), news: results.map(({ isNew }) => isNew) }
    }

    let last = 1
    for (let stopBefore = 1; stopBefore <= last; stopBefore += 1) {
      const externalId = `order-${stopBefore}`
      const { statements, news } = await readTwice(orderOfTwo(externalId), stopBefore)
      last = statements
      const rows = await database.query<{ created: number, lines: number }>(
        selectEffects,
        [orderIdOf(market, externalId)]
      )

      t.strictSame(
        { news: news.filter(Boolean).length, rows },
        { news: 1, rows: [{ created: 1, lines: 1 }] },
        `stopped before statement ${stopBefore}`
      )
    }
    t.ok(last > 8, `${last} statements`)
    t.match(await database.query('select quantity, reserved from stock where variant_id = $1', [variantId]), [{
      quantity: 1_000,
      reserved: last * 2
    }])
  })
}

// The marketplace may still show the old id for a while, so either order may be stored first.
for (const kind of kinds(t).filter(name => name === 'postgres')) {
  t.test(`an order and its replacement read at once, one stopped before each statement, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { market, variantIdOf } = await openSale(jobs, ['mug'])
    const options = { keepsLineIds: true }
    const line = (externalId: string) => ({ ...orderOf('').lines[0], externalId, offerExternalId: 'mug' }) as OrderLine

    let reserved = 0
    for (const isOldHeld of [true, false]) {
      let last = 1
      for (let stopBefore = 1; stopBefore <= last; stopBefore += 1) {
        const name = `${isOldHeld ? 'old' : 'new'}-${stopBefore}`
        const old = orderOf(`${name}-first`, { status: 'pending', lines: [line(name)] })
        const both = orderOf(`${name}-both`, { lines: [line(name), line(`${name}-other`)] })
        const stop = stopping(stopBefore)
        const [held, free] = isOldHeld ? [old, both] : [both, old]
        const first = read(jobs, market, held, { ...options, wrap: stop.wrap })
        await Promise.race([stop.reached, first])
        const second = read(jobs, market, free, options)
        const ended = new AbortController()
        second.then(() => {
          ended.abort()
        }, () => {
          ended.abort()
        })
        await waiting(jobs, ended.signal)
        stop.goOn()
        await Promise.all([first, second])
        last = stop.statements()
        reserved += 2

        const rows = await jobs.database.query(
          `
          select
            status, source_status as source,
            (select count(*) from order_lines where order_id = orders.id and is_reserved)::integer as lines
          from orders
          where id = any($1::uuid[])
          order by array_position($1::uuid[], id)`,
          [[old, both].map(({ externalId }) => orderIdOf(market, externalId))]
        )
        t.strictSame(rows, [
          { status: 'cancelled', source: 'gone', lines: 0 },
          { status: 'ready', source: 'processing', lines: 2 }
        ], `${isOldHeld ? 'the old one' : 'the new one'} stopped before statement ${stopBefore}`)
      }
      t.ok(last > 8, `${last} statements`)
    }
    t.match(await readStock(jobs, variantIdOf('mug')), { reserved })
  })
}

/** Holds a transaction before its nth statement until `goOn`. */
function stopping (stopBefore: number) {
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let statements = 0
  return {
    reached: reached.promise,
    goOn: gate.resolve,
    statements: () => statements,
    wrap: (query: Transaction['query']): Transaction['query'] => async (text, values) => {
      statements += 1
      if (statements === stopBefore) {
        reached.resolve()
        await gate.promise
      }
      return query(text, values)
    }
  }
}

interface ReadOptions {
  wrap?: (query: Transaction['query']) => Transaction['query']
  keepsLineIds?: boolean
}

async function read ({ database, enqueueJobs }: Jobs, market: string, order: Order, options: ReadOptions = {}) {
  const { wrap = query => query, keepsLineIds = false } = options
  return database.transaction(async transaction => {
    const held = { ...transaction, query: wrap(transaction.query) }
    const ingested = await ingestOrder(held, market, order, { keepsLineIds })
    await enqueueJobs(ingested.jobs, transaction)
    return ingested
  })
}

/** Resolves when a transaction waits for the lock of another, or when `ended` is aborted. */
async function waiting ({ database }: Jobs, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    const blocked = await database
      .query("select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
    if (blocked.length > 0) return
    await new Promise(setImmediate)
  }
}

function orderOfTwo (externalId: string): Order {
  const order = orderOf(externalId)
  return { ...order, lines: order.lines.map(line => ({ ...line, quantity: 2 })) }
}
