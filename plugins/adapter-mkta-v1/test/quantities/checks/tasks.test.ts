import t from 'tap'
import { deriveCommandId } from '../../../src/quantities/command.ts'
import { listEarlierChecks } from '../../../src/quantities/store.ts'
import { updateQuantities } from '../../../src/quantities/update.ts'
import { rest, restWrite } from '../../marketplace.ts'
import { createAcceptedCommand, restTasks, summary, task, unseeing } from '../accepted-command.ts'

const { advance, begin } = createAcceptedCommand(t)

t.test('a command that succeeded for every offer ends at the first check', async t => {
  const { check, path, states, effects } = await begin()
  rest().get(path).reply(200, summary('x', 2, 2, 0))

  t.match(await check(), { refusedQuantities: { length: 0 }, result: { status: 'succeeded', offers: 2, refused: 0 } })
  t.same(await states(), { 1: ['succeeded', null], 2: ['succeeded', null] })
  t.equal(effects.jobs.length, 1)
})

t.test('an unfinished command is checked again, after up to 30 s', async t => {
  const { check, path, effects } = await begin()
  rest().get(path).times(6).reply(200, summary('x', 2, 1, 0))

  for (let attempt = 1; attempt <= 6; attempt++) t.match(await check(attempt), { result: { status: 'accepted' } })
  t.same(effects.jobs.map(({ delayMs }) => delayMs), [2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
  t.equal(new Set(effects.jobs.map(({ key }) => key)).size, 7)
})

t.test('a command that does not begin is given up after minutes; until then a write to its offer waits', async t => {
  const { check, path, states, context } = await begin(1)
  rest().get(path).times(3).reply(200, summary('x', 0, 0, 0))
  const holdsUp = async () =>
    (await listEarlierChecks(context.kv, {
      quantity: 0,
      offerIds: ['1'],
      createdAt: '2025-01-02T13:00:00.000Z',
      status: 'accepted',
      error: null,
      updatedAt: '',
      isOfferWrite: true
    })).length > 0

  for (const attempt of [5, 9]) t.match(await check(attempt), { result: { status: 'accepted' } })
  t.equal(await holdsUp(), true)
  t.match(await check(10), { refusedQuantities: [{ externalId: '1', message: /has not begun/ }] })
  t.match(await states(), { 1: ['failed', /has not begun/] })
  t.equal(await holdsUp(), false)
})

t.test('a command that completes without a task has ended', async t => {
  const { check, path } = await begin(1)
  restTasks(path, summary('x', 0, 0, 0, '2025-01-02T12:00:05.000Z'))

  t.match(await check(), { refusedQuantities: [{ externalId: '1', message: /no such offer/ }] })
})

t.test('the hub gives up a command that never ends, and one that the marketplace forgot', async t => {
  const endless = await begin(1)
  rest().get(endless.path).reply(200, summary('x', 1, 0, 0))
  for (let run = 1; run <= 2; run++) {
    t.match(await endless.check(60), { refusedQuantities: [{ externalId: '1', message: /half an hour/ }] })
  }

  const forgotten = await begin(1)
  rest().get(forgotten.path).reply(404)
  t.match(await forgotten.check(), {
    refusedQuantities: [{ externalId: '1', message: /does not know the command/ }],
    result: { status: 'failed' }
  })
})

t.test("a failed task rejects only its own offer, with the marketplace's reason", async t => {
  const { check, path, states } = await begin(3)
  const failure = {
    status: 'FAIL',
    message: 'x',
    errors: [{ code: 'EXCEPTION_DURING_OFFER_QUANTITY_UPDATE', message: 'The quantity could not be changed' }]
  }
  restTasks(path, summary('x', 2, 1, 1), task('1'), task('2', failure))
    .get('/sale/product-offers/2').reply(200, { id: '2', stock: { available: 3 }, publication: { status: 'ACTIVE' } })

  const outcome = await check()

  const said = 'EXCEPTION_DURING_OFFER_QUANTITY_UPDATE: The quantity could not be changed'
  t.match(outcome?.refusedQuantities, [
    { externalId: '2', quantity: 8, message: said },
    { externalId: '3', quantity: 8, message: /no such offer/ }
  ])
  t.equal(outcome?.refusedQuantities?.length, 2)
  t.match(await states(), { 1: ['succeeded', null], 2: ['rejected', said], 3: ['rejected', /no such offer/] })
})

t.test('after commands that overlapped, an offer that shows the older quantity is named', async t => {
  async function overlap (shown: number | undefined, { older = 8, newer = 2 } = {}) {
    const later = deriveCommandId(`later\n${newer}`)
    const begun = await begin(2, older)
    const { client, context } = begun
    advance(1_000)
    restWrite().put(`/sale/offer-quantity-change-commands/${later}`).reply(201, summary(later, 0, 0, 0))
    await updateQuantities(client, unseeing(context), [{ externalId: '1', quantity: newer, commandId: 'later' }])
    rest().get(begun.path).reply(200, summary('x', 2, 2, 0))
    t.match(await begun.check(), { result: { status: 'accepted' } }, 'it waits for the newer command')
    rest().get(`/sale/offer-quantity-change-commands/${later}`).reply(200, summary(later, 1, 1, 0))
    t.match(await begun.checkOther('job-later', later), { overwrittenOffers: [], result: { status: 'succeeded' } })

    rest().get(begun.path).reply(200, summary('x', 2, 2, 0))
    const show = () =>
      rest().get('/sale/product-offers/1').reply(shown === undefined ? 404 : 200, {
        id: '1',
        stock: { available: shown },
        publication: { status: 'ACTIVE' }
      })
    show()
    const outcome = await begun.check(2)
    show()
    t.same((await begun.check(2))?.overwrittenOffers, outcome?.overwrittenOffers, 'the same job, after an abort')
    return outcome
  }

  t.match(await overlap(8), { overwrittenOffers: ['1'], result: { status: 'succeeded', overwritten: 1 } })
  t.match(await overlap(7), { overwrittenOffers: ['1'] }, 'the older quantity, and a sale')
  for (const shown of [2, 1]) t.same((await overlap(shown))?.overwrittenOffers, [], 'the newer one, also after a sale')

  const rising = { older: 2, newer: 8 }
  for (const shown of [2, 1]) {
    t.match(await overlap(shown, rising), { overwrittenOffers: ['1'] }, 'the older quantity, also after a sale')
  }
  for (const shown of [8, 7, 3]) t.same((await overlap(shown, rising))?.overwrittenOffers, [], 'the newer quantity')
  t.same((await overlap(undefined, rising))?.overwrittenOffers, [], 'the offer is gone')
})

t.test('one failure among a thousand offers loses no result: the report is one page', async t => {
  const { check, path } = await begin(1_000)
  const failure = { status: 'FAIL', errors: [{ code: 'EXCEPTION', message: 'no' }] }
  const tasks = Array.from({ length: 1_000 }, (_, index) => task(String(index + 1), index === 499 ? failure : {}))
  restTasks(path, summary('x', 1_000, 999, 1), ...tasks)
    .get('/sale/product-offers/500').reply(200, {
      id: '500',
      stock: { available: 3 },
      publication: { status: 'ACTIVE' }
    })

  t.match(await check(), {
    refusedQuantities: [{ externalId: '500', quantity: 8, message: 'EXCEPTION: no' }],
    result: { status: 'succeeded', offers: 1_000, refused: 1 }
  })
})
