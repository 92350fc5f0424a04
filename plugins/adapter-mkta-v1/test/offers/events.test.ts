import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { identityKey } from '../../src/oauth/identity.ts'
import { pollOfferEvents } from '../../src/offers/events.ts'
import { mayBeSoldOut, rememberSoldOut } from '../../src/offers/quantity.ts'
import { parseOffer } from '../../src/offers/read.ts'
import { noteRepublish } from '../../src/offers/republish.ts'
import { createMarketplace, rest } from '../marketplace.ts'

const { connect, logs } = createMarketplace(t)
const event = (id: string, offerId: string, members: object = {}) => ({
  id,
  occurredAt: '2025-01-02T11:59:00.000Z',
  type: 'OFFER_CHANGED',
  offer: { id: offerId, external: null, publication: { status: 'ACTIVE', ...members } }
})
const offer = (id: string) => ({ id, name: 'Mug', stock: { available: 3 }, publication: { status: 'ACTIVE' } })

async function open (from?: string) {
  const connection = connect()
  await connection.context.kv.set(identityKey, { account: { id: '1', login: 'seller' }, clientId: 'client-1' })
  if (from !== undefined) connection.context.cursor.set('offerEvents', from)
  return {
    ...connection,
    poll: () =>
      pollOfferEvents.run(
        connection.client,
        { id: 'job', type: 'mkta.offerEvents.poll', payload: {} },
        connection.context
      )
  }
}

t.test('each offer with a new event is read once, in its present state', async t => {
  rest().get('/sale/offer-events?from=MTE2&limit=1000').reply(200, {
    offerEvents: [event('MTE3', '1'), event('MTE4', '2'), event('A', '1')]
  })
    .get('/sale/offers?offer.id=1&offer.id=2&limit=100').reply(200, { offers: [offer('1'), offer('2')] })
  const { poll, effects } = await open('MTE2')

  t.match(await poll(), {
    offers: [{ externalId: '1', quantity: 3 }, { externalId: '2' }],
    result: { events: 3, offers: 2 }
  })
  t.equal(effects.cursors['offerEvents'], 'A')
})

t.test('without an event no offer is read and the position stays', async t => {
  rest().get('/sale/offer-events?from=MTE2&limit=1000').reply(200, { offerEvents: [] })
  const { poll, effects } = await open('MTE2')

  t.match(await poll(), { offers: { length: 0 } })
  t.equal(effects.cursors['offerEvents'], 'MTE2')
})

t.test('the first reading begins at the oldest event and continues after full pages', async t => {
  const full = Array.from({ length: 1_000 }, (_, index) => event(`e${index}`, '1'))
  rest().get('/sale/offer-events?limit=1000').reply(200, { offerEvents: full })
    .get('/sale/offer-events?from=e999&limit=1000').reply(200, { offerEvents: [event('last', '2')] })
    .get('/sale/offers?offer.id=1&offer.id=2&limit=100').reply(200, { offers: [offer('1')] })
  const { poll, effects } = await open()

  t.match(await poll(), { result: { events: 1_001, offers: 1 } })
  t.equal(effects.cursors['offerEvents'], 'last')
})

t.test('offers are read a hundred at a time', async t => {
  const hasHundredIds = (query: Record<string, unknown>): boolean =>
    Array.isArray(query['offer.id']) && query['offer.id'].length === 100
  rest().get('/sale/offer-events?limit=1000').reply(200, {
    offerEvents: Array.from({ length: 101 }, (_, index) => event(`e${index}`, String(index)))
  })
    .get('/sale/offers').query(hasHundredIds).reply(200, { offers: [] })
    .get('/sale/offers?offer.id=100&limit=100').reply(200, { offers: [] })

  t.match(await (await open()).poll(), { result: { events: 101, offers: 0 } })
})

t.test('an offer that sold out is remembered for its next quantity', async t => {
  rest().get('/sale/offer-events?limit=1000').reply(200, {
    offerEvents: [
      event('e1', '1', { status: 'ENDED', endedBy: 'EMPTY_STOCK' }),
      event('e2', '2', { status: 'ENDED', endedBy: 'USER' })
    ]
  })
    .get(/^\/sale\/offers/).reply(200, { offers: [] })
  const { poll, context } = await open()

  await poll()

  t.same([await mayBeSoldOut(context, '1'), await mayBeSoldOut(context, '2')], [true, false])
})

t.test('an event in another form is skipped, and the position moves past it', async t => {
  const ended = event('e2', '1', { status: 'ENDED', endedBy: 'EMPTY_STOCK' })
  rest().get('/sale/offer-events?limit=1000').reply(200, {
    offerEvents: [
      { id: 'e1', type: 'SOMETHING_NEW' },
      ended,
      { id: 'e3', offer: { id: '2', publication: 'ACTIVE' } },
      { id: 'e4', offer: { id: null } }
    ]
  })
    .get('/sale/offers?offer.id=1&offer.id=2&limit=100').reply(200, { offers: [offer('1'), offer('2')] })
  const { poll, effects, context } = await open()

  t.match(await poll(), { result: { events: 4, offers: 2 } })
  t.equal(await mayBeSoldOut(context, '1'), true)
  t.equal(effects.cursors['offerEvents'], 'e4')
  t.match(logs, [{ level: 'warn', fields: { events: 2 } }])
})

t.test('after a lost position the hub compares all offers and reads the events that are left', async t => {
  rest().get('/sale/offer-events?from=gone&limit=1000').reply(400, {
    errors: [{ code: 'UnknownEvent', message: 'unknown', path: 'from' }]
  })
    .get('/sale/offer-events?limit=1000').reply(200, { offerEvents: [event('e1', '1')] })
    .get('/sale/offers?offer.id=1&limit=100').reply(200, { offers: [offer('1')] })
  const { poll, effects } = await open('gone')

  t.match(await poll(), { result: { events: 1 } })
  t.match(effects.jobs, [{ jobType: 'marketplace.offers.sync', payload: {} }])
  t.equal(effects.cursors['offerEvents'], 'e1')
  t.match(logs, [{ level: 'warn' }])
})

t.test('any other fault leaves the position', async t => {
  rest().get('/sale/offer-events?from=e1&limit=1000').times(3).reply(503)
  const { poll, effects } = await open('e1')

  await t.rejects(poll(), { code: AdapterErrorCode.transient })
  t.equal(effects.cursors['offerEvents'], 'e1')
  t.same(effects.jobs, [])
})

t.test('an ended offer is read alone: one that comes back is not over, and is written again then', async t => {
  const ended = (id: string, publication: object = {}) => ({
    ...offer(id),
    publication: { status: 'ENDED', ...publication }
  })
  rest().get('/sale/offer-events?limit=1000').reply(200, {
    offerEvents: ['1', '2', '3', '4'].map(id => event(`e${id}`, id, { status: 'ENDED', endedBy: 'EXPIRATION' }))
  })
    .get(/^\/sale\/offers/).reply(200, { offers: ['1', '2', '3', '4'].map(id => ended(id)) })
    .get('/sale/product-offers/1').reply(200, ended('1', { endedBy: 'EXPIRATION', republish: true }))
    .get('/sale/product-offers/2').reply(200, ended('2', { endedBy: 'EXPIRATION', republish: false }))
    .get('/sale/product-offers/3').reply(404)
    .get('/sale/product-offers/4').reply(200, { id: '4' })
  const { poll, effects } = await open()

  t.match(await poll(), {
    offers: [{ status: 'INACTIVE' }, { status: 'ENDED' }, { status: 'ENDED' }, { status: 'ENDED' }]
  })

  const from = effects.cursors['offerEvents']
  rest().get(`/sale/offer-events?from=${from}&limit=1000`).reply(200, { offerEvents: [event('e4', '1')] })
    .get(/^\/sale\/offers/).reply(200, { offers: [offer('1')] })
  t.match(await poll(), { overwrittenOffers: ['1'] })
})

t.test('an offer that was written to 0 and put itself up again is written again', async t => {
  const answer = { offers: ['1', '2', '3', '4'].map(offer) }
  const ended = { ...offer('5'), stock: { available: 0 }, publication: { status: 'ENDED' } }
  rest().get('/sale/offer-events?limit=1000').reply(200, {
    offerEvents: ['1', '2', '3', '4', '5'].map(id => event(`e${id}`, id))
  })
    .get(/^\/sale\/offers/).reply(200, { offers: [...answer.offers, ended] })
  const { poll, context } = await open()
  const note = (id: string, republish: boolean) =>
    noteRepublish(context.kv, parseOffer({ ...offer(id), publication: { status: 'ACTIVE', republish } }))
  for (const id of ['1', '2', '3', '5']) await note(id, true)
  await note('3', false)
  for (const id of ['1', '3', '4', '5']) await rememberSoldOut(context, id)

  const outcome = await poll()

  t.match(outcome, { overwrittenOffers: ['1'], result: { overwritten: 1 } })
  t.equal(outcome?.overwrittenOffers?.length, 1)
  const republished = [/puts the offer up again by itself/]
  t.match(outcome?.offers, [{ problems: republished }, { problems: republished }, { problems: { length: 0 } }, {}, {
    problems: republished
  }])
})
