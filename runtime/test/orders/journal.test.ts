import { randomUUID } from 'node:crypto'
import t from 'tap'
import { variantIdOf } from '../../src/catalog/identity.ts'
import type { Database } from '../../src/database/database.ts'
import type { HandlerServices } from '../../src/handlers/call-adapter.ts'
import { jobIdOf } from '../../src/jobs/identity.ts'
import { readJournalCursor } from '../../src/orders/journal-cursor.ts'
import { recordStock } from '../../src/stock/record-stock.ts'
import { createServices, handle, runJob, runningJob, type Abilities } from '../handlers/fake-adapter.ts'
import { drained, kinds, openJobsFor, type Jobs } from '../jobs/support.ts'
import { createJournal, orderOf } from './journal.ts'
import { watchStatements } from './statements.ts'

/** Opens a shop with stock of a variant, and a marketplace with a journal that offers it. */
async function openMarket (jobs: Jobs, journal: ReturnType<typeof createJournal>) {
  const { database } = jobs
  const [shop, market] = [await jobs.addConnection(), await jobs.addConnection()]
  await database.query(
    'update connections set capabilities = \'["InventoryMaster", "OrderProcessorManager"]\' where id = $1',
    [shop]
  )
  const [{ now = '' } = {}] = await database.query<{ now: string }>('select clock_timestamp()::text as now')
  await recordStock(database, { id: randomUUID(), connectionId: shop, claimedAt: now }, [{
    productExternalId: 'p',
    variantExternalId: 'v',
    quantity: 10_000
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

  const created: string[] = []
  const abilities: Record<string, Abilities> = {
    [shop]: {
      InventoryMaster: { getStock: () => [] },
      OrderProcessorManager: {
        createOrder ({ externalId }: { externalId: string }) {
          created.push(externalId)
          return { externalId: `shop-${externalId}` }
        }
      }
    },
    [market]: {
      Marketplace: {
        listOrderEvents: journal.listOrderEvents,
        getOrder: (externalId: string) => orderOf(externalId),
        updateOfferQuantity: () => ({ applied: ['stock'], frozen: [] })
      }
    }
  }
  const servicesOn = (given: Database): HandlerServices =>
    createServices(jobs, id => abilities[id] ?? {}, { database: given })
  const services = servicesOn(database)

  return {
    market,
    created,
    servicesOn,
    poll: (on: HandlerServices = services) => runJob(on, runningJob('marketplace.orders.poll', market)),
    cursor: () => readJournalCursor(database.query, market),
    /** Returns the given events that have no job. */
    async withoutJob (eventIds: readonly string[]): Promise<string[]> {
      const idOf = new Map(eventIds.map(eventId => [jobIdOf(`order-event:${market}:${eventId}`), eventId]))
      const rows = await database.query<{ id: string }>('select id from jobs where id = any($1::uuid[])', [[
        ...idOf.keys()
      ]])
      for (const { id } of rows) idOf.delete(id)
      return [...idOf.values()]
    },
    /** Runs jobs until none is left. */
    async work (): Promise<void> {
      jobs.startWorker(job => handle(services, job), { enqueueJobs: services.enqueueJobs })
      await drained(jobs)
    }
  }
}

for (const kind of kinds(t)) {
  t.test(`a journal whose poll dies before each of its statements, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database } = jobs
    const journal = createJournal(kind === 'postgres' ? 150 : 50, 4)
    const market = await openMarket(jobs, journal)

    let mostStatements = 0
    let deaths = 0
    for (let round = 0; !journal.isOver(); round += 1) {
      // Every fifth round has more events than a page.
      journal.publish(round % 5 === 4 ? 250 : 40)
      for (let dieBefore = 1;; dieBefore += 1) {
        const dying = market.servicesOn(watchStatements(database, statement => {
          mostStatements = Math.max(mostStatements, statement)
          if (statement === dieBefore) throw new Error('died')
        }))
        const hasDied = await market.poll(dying).then(() => false, (error: Error) => {
          if (error.message !== 'died') throw error
          return true
        })
        const missing = await market.withoutJob(journal.upTo(await market.cursor()))
        if (missing.length > 0) t.strictSame(missing, [], `round ${round}, stopped before statement ${dieBefore}`)
        if (!hasDied) break
        deaths += 1
      }
    }

    t.strictSame(await market.withoutJob(journal.eventIds()), [], 'every event has its job')
    t.equal(await market.cursor(), String(journal.eventIds().length))
    t.ok(mostStatements > 5 && deaths > 10, `${mostStatements} statements, ${deaths} deaths`)

    await market.work()
    const rows = await database.query<{ externalId: string, status: string, creations: number }>(`
      select
        external_id as "externalId", status,
        (
          select count(*)
          from jobs
          where job_type = 'master.order.create' and payload ->> 'orderId' = orders.id::text
        )::integer as creations
      from orders
      order by external_id`)
    t.strictSame(await database.query("select distinct job_type, problem from jobs where outcome <> 'succeeded'"), [])
    t.strictSame(rows, journal.orders.map(externalId => ({ externalId, status: 'created', creations: 1 })))
    t.strictSame(market.created.toSorted(), journal.orders, 'the shop has each order once')
  })
}

// The embedded database has one connection, so that two transactions are never open at once.
for (const kind of kinds(t).filter(name => name === 'postgres')) {
  t.test(`a poll that is held before each of its statements while another reads on, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database } = jobs
    const journal = createJournal(100, 20)
    const market = await openMarket(jobs, journal)

    let last = 1
    for (let holdBefore = 1; holdBefore <= last; holdBefore += 1) {
      journal.publish(40)
      const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const first = market.poll(market.servicesOn(watchStatements(database, async statement => {
        last = Math.max(last, statement)
        if (statement !== holdBefore) return
        reached.resolve()
        await gate.promise
      })))
      await Promise.race([reached.promise, first])
      t.strictSame(
        await market.withoutJob(journal.upTo(await market.cursor())),
        [],
        `held before statement ${holdBefore}`
      )

      journal.publish(40)
      const second = market.poll()
      const ended = new AbortController()
      second.then(() => {
        ended.abort()
      }, () => {
        ended.abort()
      })
      await waiting(jobs, ended.signal)
      const cursor = await market.cursor()
      gate.resolve()
      await Promise.all([first, second])
      t.ok(
        Number(await market.cursor()) >= Number(cursor ?? 0),
        `the cursor does not go back, held before statement ${holdBefore}`
      )
      t.strictSame(
        await market.withoutJob(journal.upTo(await market.cursor())),
        [],
        `after it was held before statement ${holdBefore}`
      )
    }
    // The newest event may be hidden until now.
    journal.publish(0)
    await market.poll()
    t.equal(await market.cursor(), String(last * 80))
    t.ok(last >= 5, `${last} statements`)
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
