import { randomUUID } from 'node:crypto'
import t from 'tap'
import { openMarketplaceA } from '../support/marketplace-a.ts'
import { fullestMode } from '../support/modes.ts'

const orders = 500
const lateMs = 60_000
const mode = fullestMode(process.env)

t.test(
  'a journal of more than 2 000 events, late ones and repeated ones, read by hubs that end in between, is every ' +
    'order once',
  async t => {
    const { hub, market, clock, authorise } = await openMarketplaceA(t, { mode })
    const connectionId = await authorise({})
    const follow = async (): Promise<void> => {
      const requestId = randomUUID()
      const { status, text } = await hub.call('POST', '/jobs', {
        body: { jobType: 'marketplace.orders.poll', connectionId },
        headers: { 'x-request-id': requestId }
      })
      if (status !== 202) throw new Error(text)
      await hub.jobsOf(requestId)
    }
    await follow()
    market.journalAccidents({ late: 0.1, lateMs, duplicate: 0.1 })
    const placed: string[] = []
    for (const part of [1, 2]) {
      for (let number = 0; number < orders / 2; number += 1) {
        const id = market.placeOrder({ status: 'FILLED_IN', lines: [{ offerId: '7680001234', quantity: 1 }] })
        placed.push(id)
        clock.advance(10)
        market.payOrder(id)
        market.modifyOrder(id, { messageToSeller: `Part ${part}` })
        if (number % 5 === 0) market.cancelOrder(id)
        else market.modifyOrder(id, { messageToSeller: 'And again' })
      }
      const polling = follow()
      polling.catch(() => undefined)
      await hub.restart()
      await polling.catch(() => undefined)
    }
    clock.advance(2 * lateMs)
    await follow()
    await follow()
    const stored = await hub.database().query<
      { externalId: string, status: string, count: number }
    >(`
      select external_id as "externalId", min(source_status) as status, count(*)::integer as count
      from orders
      group by 1`)
    const cancelled = placed.filter(id => market.order(id)?.status === 'CANCELLED')
    const events = market.orderEvents()
    const { cursors } = (await hub.call('GET', `/integrations/mkta/connections/${connectionId}/cursors`)).json as {
      cursors: { cursorKey: string, value: string }[]
    }

    t.ok(events.length > 2_000, `${events.length} events`)
    t.strictSame(stored.map(({ externalId }) => externalId).toSorted(), placed.toSorted())
    t.ok(stored.every(({ count }) => count === 1))
    t.strictSame(
      stored.filter(({ status }) => status === 'cancelled').map(({ externalId }) => externalId).toSorted(),
      cancelled.toSorted()
    )
    t.ok(cancelled.length >= orders / 5)
    t.equal(cursors.find(({ cursorKey }) => cursorKey === 'orders')?.value, events.at(-1)?.id)
  }
)
