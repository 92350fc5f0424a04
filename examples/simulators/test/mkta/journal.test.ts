import type { MktAOrderEvent } from '@linker/simulators'
import t from 'tap'
import { openMktA } from './market.ts'

const lines = [{ offerId: '1', quantity: 1 }]
const idsOf = (events: MktAOrderEvent[]) => events.map(({ id }) => id)

t.test('a late event becomes visible before a cursor that has already passed it', async t => {
  const { clock, market, call } = await openMktA(t)
  const read = async (query = '') =>
    ((await call('GET', `/order/events?${query}`)).json() as { events: MktAOrderEvent[] }).events
  market.journalAccidents({ late: true, lateMs: 30_000 })
  const late = market.placeOrder({ lines })
  market.journalAccidents({})
  clock.advance(1_000)
  const orderId = market.placeOrder({ lines })

  const [first, ...others] = await read()

  t.match([first, others], [{ order: { checkoutForm: { id: orderId } } }, []])
  clock.advance(29_000)
  t.strictSame(await read(`from=${first?.id}`), [])
  const lateEvent = { occurredAt: '2025-01-01T12:00:00.000Z', order: { checkoutForm: { id: late } } }
  t.match(await read(), [lateEvent, { id: first?.id }])
  t.match((await call('GET', '/order/event-stats')).json(), { latestEvent: { id: first?.id } })
})

t.test('a doubled event has its own id, and an event by hand waits for visibleAfterMs', async t => {
  const { clock, market } = await openMktA(t)
  market.journalAccidents({ duplicate: true })
  const orderId = market.placeOrder({ lines })
  market.journalAccidents({})

  t.strictSame(idsOf(market.orderEvents()), ['1735732800000000', '1735732800000001'])
  t.strictSame(market.orderEvents()[0]?.order, market.orderEvents()[1]?.order)
  const id = market.addOrderEvent({ orderId, type: 'READY_FOR_PROCESSING', visibleAfterMs: 5_000 })
  t.equal(market.orderEvents().length, 2)
  clock.advance(5_000)
  t.strictSame(idsOf(market.orderEvents()), ['1735732800000000', '1735732800000001', id])
})

t.test('events are kept 60 days, and their types are known', async t => {
  const { clock, market, call } = await openMktA(t)
  const old = market.placeOrder({ lines })
  clock.advance(86_400_000)
  market.placeOrder({ lines })

  clock.advance(59 * 86_400_000)
  t.equal(market.orderEvents().length, 2)
  clock.advance(1)
  t.equal(market.orderEvents().length, 1)
  t.ok(market.order(old), 'the form is kept')
  const headers = { authorization: `Bearer ${market.issueTokens().accessToken}` }
  t.match(await call('GET', '/order/events?type=READY', undefined, headers), {
    status: 400,
    text: /type must be one of BOUGHT/
  })
  t.match((await call('GET', '/order/event-stats', undefined, headers)).json(), {
    latestEvent: { occurredAt: '2025-01-02T12:00:00.000Z' }
  })
})
