import type { MktAOfferEvent } from '@linker/simulators'
import t from 'tap'
import { openMktA } from './market.ts'

type Opened = Awaited<ReturnType<typeof openMktA>>

const read = (call: Opened['call'], headers = {}) => async (query = '') =>
  ((await call('GET', `/sale/offer-events?${query}`, undefined, headers)).json() as { offerEvents: MktAOfferEvent[] })
    .offerEvents
const types = (events: MktAOfferEvent[]) => events.map(({ type }) => type)

t.test('every change of an offer is an event, by API, seller or buyer', async t => {
  const { clock, market, call } = await openMktA(t)
  const events = read(call)
  market.addOffer({ id: '1', external: { id: 'hub-variant-1' }, stock: { available: 2 } })
  const patch = (body: unknown) => call('PATCH', '/sale/product-offers/1', body)

  t.strictSame(await events(), [])
  market.sell('1')
  await patch({ sellingMode: { price: { amount: '59.00', currency: 'PLN' } } })
  market.updateOffer('1', { name: 'Mug' })
  await patch({ stock: { available: 0 } })
  clock.advance(1_000)
  await patch({ stock: { available: 5 } })
  await patch({ publication: { status: 'ACTIVE' } })
  clock.advance(1_000)
  const all = await events()

  t.strictSame(types(all), [
    'OFFER_STOCK_CHANGED',
    'OFFER_PRICE_CHANGED',
    'OFFER_CHANGED',
    'OFFER_STOCK_CHANGED',
    'OFFER_ENDED',
    'OFFER_STOCK_CHANGED',
    'OFFER_ACTIVATED'
  ])
  t.match(all[4], {
    id: /^[\w+/]+=*$/,
    occurredAt: '2025-01-01T12:00:01.000Z',
    offer: { id: '1', external: { id: 'hub-variant-1' }, publication: { status: 'ENDED', endedBy: 'EMPTY_STOCK' } }
  })
  t.strictSame(all[6]?.offer.publication, { status: 'ACTIVE' })
  t.strictSame(await events(`from=${encodeURIComponent(all[4]?.id ?? '')}&limit=1`), [all[5]])
  t.strictSame(types(await events('type=OFFER_ENDED&type=OFFER_ACTIVATED')), ['OFFER_ENDED', 'OFFER_ACTIVATED'])
  t.strictSame(await events(`from=${encodeURIComponent(all[6]?.id ?? '')}`), [])
  t.equal((await call('GET', '/sale/offer-events?from=MTIz')).status, 400)
  t.equal((await call('GET', '/sale/offer-events?limit=1001')).status, 400)
})

t.test('events cover own offers that were ever active, and are kept for a day', async t => {
  const { clock, market, call } = await openMktA(t)
  const events = read(call)
  market.addOffer({ id: '1', publication: { status: 'INACTIVE' } })
  market.addOffer({ id: '2', sellerId: 'another' })
  market.addOffer({ id: '3' })
  for (const id of ['1', '2', '3']) market.updateOffer(id, { stock: { available: 7 } })
  market.addOfferEvent({ offerId: '3', type: 'OFFER_ARCHIVED' })
  const [first] = await events()

  t.match(await events(), [{ offer: { id: '3' }, type: 'OFFER_STOCK_CHANGED' }, { type: 'OFFER_ARCHIVED' }])
  clock.advance(86_400_000 + 1)
  market.updateOffer('3', { stock: { available: 8 } })
  const nextDay = read(call, { authorization: `Bearer ${market.issueTokens().accessToken}` })
  t.strictSame(types(await nextDay()), ['OFFER_STOCK_CHANGED'])
  t.strictSame(
    types(await nextDay(`from=${first?.id}`)),
    ['OFFER_STOCK_CHANGED'],
    'a cursor that is too old starts at the oldest event'
  )
  market.switches.expiredOfferEvent = 'refused'
  t.equal(await nextDay(`from=${first?.id}`), undefined, 'or is refused')
})

t.test('changes of one kind in a short time are one event, visible when that time is over', async t => {
  const { clock, market } = await openMktA(t)
  market.addOffer({ id: '1' })
  market.switches.offerEventMergeMs = 5_000

  market.updateOffer('1', { stock: { available: 7 } })
  clock.advance(2_000)
  market.updateOffer('1', { stock: { available: 6 }, name: 'Mug' })
  t.strictSame(market.offerEvents(), [])
  clock.advance(3_000)
  t.match(market.offerEvents(), [{ type: 'OFFER_STOCK_CHANGED', occurredAt: '2025-01-01T12:00:02.000Z' }])
  market.updateOffer('1', { stock: { available: 5 } })
  clock.advance(5_000)
  t.strictSame(types(market.offerEvents()), ['OFFER_STOCK_CHANGED', 'OFFER_CHANGED', 'OFFER_STOCK_CHANGED'])
})
