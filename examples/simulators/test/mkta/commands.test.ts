import type { Chance } from '@linker/simulators'
import t from 'tap'
import { codes } from '../support.ts'
import { openMktA } from './market.ts'

const id = '0102e087-1ca1-4085-b434-f13ae2f12b2c'
const path = `/sale/offer-quantity-change-commands/${id}`

function command (value: number, ...ids: string[]) {
  return {
    modification: { changeType: 'FIXED', value },
    offerCriteria: [{ type: 'CONTAINS_OFFERS', offers: ids.map(id => ({ id })) }]
  }
}

t.test('a command starts with zero counters, counts own offers and handles each offer by itself', async t => {
  const { clock, market, call } = await openMktA(t)
  for (const id of ['1', '2']) market.addOffer({ id })
  market.addOffer({ id: '3', publication: { status: 'ENDED' } })
  market.addOffer({ id: '4', sellerId: 'another' })
  market.failNextTask('2')
  const taskCount = async () => (await call('GET', path)).json()

  const accepted = await call('PUT', path, command(8, '1', '2', '3', '4', '5'))

  t.equal(accepted.status, 201)
  t.strictSame(accepted.json(), {
    id,
    createdAt: '2025-01-01T12:00:00.000Z',
    completedAt: null,
    taskCount: { total: 0, success: 0, failed: 0 }
  })
  clock.advance(500)
  t.match(await taskCount(), { completedAt: null, taskCount: { total: 3, success: 0, failed: 0 } })
  t.equal(market.quantities().get('1'), 1)
  clock.advance(500)
  t.match(await taskCount(), {
    completedAt: '2025-01-01T12:00:01.000Z',
    taskCount: { total: 3, success: 1, failed: 2 }
  })
  t.match((await call('GET', `${path}/tasks`)).json(), {
    tasks: [
      { offer: { id: '1' }, field: 'quantity', status: 'SUCCESS', message: '', errors: { length: 0 } },
      { offer: { id: '2' }, status: 'FAIL', errors: [{ code: 'EXCEPTION_DURING_OFFER_QUANTITY_UPDATE' }] },
      { offer: { id: '3' }, status: 'FAIL', message: 'Offer is ended' }
    ]
  })
  t.match((await call('GET', `${path}/tasks?limit=1&offset=1`)).json(), { tasks: [{ offer: { id: '2' } }] })
  t.strictSame([...market.quantities()], [['1', 8], ['2', 1], ['3', 1], ['4', 1]])
})

t.test('an id works once, also when its answer was lost', async t => {
  const { clock, market, call } = await openMktA(t)
  market.addOffer({ id: '1' })
  market.rest.faults.add({ method: 'PUT', reset: true, when: 'after' })

  await t.rejects(call('PUT', path, command(8, '1')))

  t.equal((await call('PUT', path, command(8, '1'))).status, 409)
  t.equal((await call('PUT', path, command(9, '1'))).status, 409)
  clock.advance(1_000)
  t.equal(market.quantities().get('1'), 8)
})

t.test('a command without own offers never counts any', async t => {
  const { clock, market, call } = await openMktA(t)
  market.addOffer({ id: '4', sellerId: 'another' })

  await call('PUT', path, command(8, '4'))
  clock.advance(60_000)

  t.match((await call('GET', path)).json(), { completedAt: null, taskCount: { total: 0 } })
})

t.test('open commands for one offer are carried out in any order, others in the order of their acceptance', async t => {
  const { clock, market, call } = await openMktA(t)
  const pathOf = (number: number) => path.replace(/.$/, String(number))
  async function landed (overtaking: Chance, ...given: [value: number, offer: string][]): Promise<number[]> {
    market.switches.overtaking = overtaking
    for (const [value, offer] of given) {
      t.equal((await call('PUT', pathOf(value), command(value, offer))).status, 201)
      clock.advance(100)
    }
    const values: number[] = []
    for (let step = 0; step < 20; step++) {
      clock.advance(100)
      for (const quantity of market.quantities().values()) if (!values.includes(quantity)) values.push(quantity)
    }
    return values
  }
  market.addOffer({ id: '1', stock: { available: 9 } })

  t.equal(market.switches.overtaking, 0.5)
  t.strictSame(await landed(true, [1, '1'], [2, '1'], [3, '1']), [9, 3, 2, 1])
  t.strictSame(await landed(false, [4, '1'], [5, '1']), [1, 4, 5])
  market.addOffer({ id: '2', stock: { available: 5 } })
  t.strictSame(await landed(true, [6, '1'], [7, '2']), [5, 6, 7])
  t.match(market.commands().map(({ tasks }) => tasks), Array.from({ length: 7 }, () => [{ status: 'SUCCESS' }]))
})

t.test('quantity 0, a flat body, too many offers and invalid ids are refused', async t => {
  const { market, call } = await openMktA(t)

  t.strictSame(codes(await call('PUT', path, command(0, '1'))), ['INCORRECT_QUANTITY_VALUE'])
  t.equal((await call('PUT', path, { offerId: '1', quantity: 8 })).status, 400)
  t.equal((await call('PUT', path, command(8, ...Array.from({ length: 1_001 }, String)))).status, 400)
  t.equal((await call('PUT', '/sale/offer-quantity-change-commands/1', command(8, '1'))).status, 400)
  t.equal((await call('GET', path)).status, 404)
  t.strictSame(market.commands(), [])
})

t.test('a price command sets, raises and lowers prices, in the currency of the offer', async t => {
  const { clock, market, call } = await openMktA(t)
  market.addOffer({ id: '1' })
  market.addOffer({ id: '2', publication: { status: 'ENDED' } })
  const put = async (modification: object) => {
    const pricePath = `/sale/offer-price-change-commands/${crypto.randomUUID()}`
    const { status } = await call('PUT', pricePath, {
      ...command(1, '1', '2'),
      modification: { marketplaceId: 'mkta-pl', ...modification }
    })
    clock.advance(1_000)
    return { status, tasks: (await call('GET', `${pricePath}/tasks`)).json() }
  }
  const zloty = (amount: string) => ({ amount, currency: 'PLN' })
  const price = () => market.offer('1')?.sellingMode.price.amount

  t.match(await put({ type: 'FIXED_PRICE', price: zloty('59.00') }), {
    status: 201,
    tasks: {
      tasks: [
        { field: 'price', offer: { id: '1' }, status: 'SUCCESS' },
        { offer: { id: '2' }, status: 'FAIL', message: 'Offer is ended' }
      ]
    }
  })
  t.equal(price(), '59.00')
  const applied = [
    [{ type: 'INCREASE_PRICE', value: zloty('0.10') }, '59.10'],
    [{ type: 'DECREASE_PRICE', value: zloty('9.10') }, '50.00'],
    [{ type: 'INCREASE_PERCENTAGE', percentage: '10' }, '55.00'],
    [{ type: 'DECREASE_PERCENTAGE', percentage: '20.5' }, '43.73']
  ] as const
  for (const [modification, expected] of applied) {
    await put(modification)
    t.equal(price(), expected)
  }
  const failing = [
    { type: 'DECREASE_PRICE', value: zloty('43.00') },
    { type: 'FIXED_PRICE', price: { amount: '9.00', currency: 'EUR' } },
    { type: 'FIXED_PRICE', price: zloty('9.00'), marketplaceId: 'mkta-cz' }
  ]
  for (const modification of failing) {
    t.match(await put(modification), {
      status: 201,
      tasks: { tasks: [{ status: 'FAIL', errors: [{ code: 'ATTEMPT_TO_CHANGE_OFFER_PRICE_TO_INVALID_VALUE' }] }, {}] }
    })
  }
  t.equal(price(), '43.73')
  const refused = [{ type: 'FIXED_PRICE', price: zloty('-1.00') }, { type: 'FIXED_PRICE' }, { type: 'HALVE' }]
  for (const modification of refused) t.equal((await put(modification)).status, 400)
})

t.test('a publication command starts and ends offers, except those without pieces or with a problem', async t => {
  const { clock, market, call } = await openMktA(t)
  market.addOffer({ id: '1', publication: { status: 'INACTIVE' } })
  market.addOffer({ id: '2', stock: { available: 0 }, publication: { status: 'ENDED' } })
  market.addOffer({ id: '3', publication: { status: 'INACTIVE' } })
  market.setOfferProblems('3', [{ code: 'MISSING_PARAMETER', message: 'Brand is missing' }])
  const publicationPath = `/sale/offer-publication-commands/${id}`
  const body = (action: string, scheduledFor?: string) => ({
    publication: { action, scheduledFor },
    offerCriteria: command(1, '1', '2', '3').offerCriteria
  })
  const statuses = () => ['1', '2', '3'].map(offer => market.offer(offer)?.publication.status)

  t.equal((await call('PUT', publicationPath, body('ACTIVATE', '2025-01-01T12:01:00.000Z'))).status, 201)
  t.equal((await call('PUT', publicationPath, body('ACTIVATE'))).status, 409)
  clock.advance(59_000)
  t.match((await call('GET', publicationPath)).json(), { id, completedAt: null, taskCount: { total: 0 } })
  clock.advance(2_000)
  t.match((await call('GET', `${publicationPath}/tasks`)).json(), {
    tasks: [
      { field: 'publication', status: 'SUCCESS' },
      { status: 'FAIL', message: 'Could not change offer publication status. Incorrect initial quantity of stock.' },
      { status: 'FAIL', errors: [{ code: 'MISSING_PARAMETER' }] }
    ]
  })
  clock.advance(1_000)
  t.strictSame(statuses(), ['ACTIVE', 'ENDED', 'INACTIVE'])
  await call('PUT', publicationPath.replace(/c$/, 'd'), body('END'))
  clock.advance(1_000)
  t.match(market.offer('1')?.publication, { status: 'ENDED', endedBy: 'USER', endedAt: '2025-01-01T12:01:03.000Z' })
  t.equal((await call('PUT', publicationPath.replace(/c$/, 'e'), body('PAUSE'))).status, 400)
})

t.test('each kind of command has its own ids, and failNextTask applies to any kind', async t => {
  const { clock, market, call } = await openMktA(t)
  market.addOffer({ id: '1' })
  market.failNextTask('1')
  const publicationPath = `/sale/offer-publication-commands/${id}`

  const ending = { publication: { action: 'END' }, offerCriteria: command(1, '1').offerCriteria }
  t.equal((await call('PUT', publicationPath, ending)).status, 201)
  clock.advance(1_000)
  t.equal((await call('PUT', path, command(8, '1'))).status, 201)
  clock.advance(1_000)

  t.match((await call('GET', `${publicationPath}/tasks`)).json(), {
    tasks: [{ status: 'FAIL', errors: [{ code: 'EXCEPTION_DURING_OFFER_PUBLICATION_UPDATE' }] }]
  })
  t.match(market.commands().map(({ field }) => field), ['publication', 'quantity'])
  t.equal(market.quantities().get('1'), 8)
})

t.test('the report has at most 1000 rows from offset 999 at most, and its tasks have no times', async t => {
  const { clock, market, call } = await openMktA(t)
  for (let id = 1; id <= 1_000; id++) market.addOffer({ id: String(id) })
  const rows = async (query: string) => {
    const answer = await call('GET', `${path}/tasks?${query}`)
    return answer.status === 200 ? (answer.json() as { tasks: object[] }).tasks.length : answer.status
  }

  await call('PUT', path, command(8, ...Array.from({ length: 1_000 }, (_, index) => String(index + 1))))
  clock.advance(1_000)

  t.equal(await rows('limit=1000'), 1_000)
  t.equal(await rows('limit=1000&offset=999'), 1)
  t.strictSame([await rows('limit=1000&offset=1000'), await rows('limit=1001'), await rows('limit=0')], [422, 422, 422])
  t.strictSame((await call('GET', `${path}/tasks?limit=1`)).json(), {
    tasks: [{ field: 'quantity', message: '', offer: { id: '1' }, status: 'SUCCESS', errors: [] }]
  })
})

t.test('a member that the published schema does not have is named, or ignored by a switch', async t => {
  const { market, call } = await openMktA(t)
  const order = market.placeOrder({ lines: [{ offerId: '1', quantity: 1 }] })
  const parcels = `/order/checkout-forms/${order}/shipments`
  const parcel = { carrierId: 'DPD', waybill: '1', carrierName: null }
  const scheduled = { ...command(8, '1'), scheduledAt: null }
  const named = async (method: string, at: string, body: unknown) =>
    ((await call(method, at, body)).json() as { errors: Array<{ path: string }> }).errors[0]?.path

  t.equal(await named('PUT', path, scheduled), 'scheduledAt')
  const nested = { ...command(8, '1'), modification: { changeType: 'FIXED', value: 8, unit: 'PAIR' } }
  t.equal(await named('PUT', path, nested), 'modification.unit')
  t.equal(await named('POST', parcels, parcel), 'carrierName')
  t.equal(await named('PATCH', '/sale/product-offers/1', { publication: { endedBy: 'USER' } }), 'publication.endedBy')
  market.switches.unpublishedMembers = 'ignored'
  t.equal((await call('PUT', path, scheduled)).status, 201)
  t.equal((await call('POST', parcels, parcel)).status, 201)
})
