import t from 'tap'
import { isOvertaken, listChanges } from '../../src/quantities/changes.ts'
import { deriveCommandId } from '../../src/quantities/command.ts'
import { updateQuantities } from '../../src/quantities/update.ts'
import { rest, restWrite } from '../marketplace.ts'
import { createAcceptedCommand, isEnded, restTasks, summary, task, unseeing } from './accepted-command.ts'

const { advance, beforeLock, begin } = createAcceptedCommand(t)

t.test('a sold-out offer is started with the quantity, whatever error the marketplace gives', async t => {
  const nameless = { status: 'FAIL', message: null, errors: [{ code: 'OFFER_ENDED', message: null }] }
  for (const failure of [isEnded, { ...isEnded, errors: [] }, nameless]) {
    const { check, checkOther, restockOf, path, states } = await begin(1)
    restTasks(path, summary('x', 1, 0, 1), task('1', failure))
      .get('/sale/product-offers/1').twice().reply(200, {
        id: '1',
        stock: { available: 0 },
        publication: { status: 'ENDED', endedBy: 'EMPTY_STOCK' }
      })
    const started = { stock: { available: 8 }, publication: { status: 'ACTIVE' } }
    restWrite().patch('/sale/product-offers/1', started).reply(200, {})
    t.match(await check(), { refusedQuantities: { length: 0 } })

    rest().get('/sale/product-offers/1').reply(200, {
      id: '1',
      stock: { available: 7 },
      publication: { status: 'ACTIVE' }
    })
    t.match(await checkOther('job-restock', restockOf('1')), { result: { status: 'succeeded' } })
    t.match(await states(), { 1: ['succeeded', null] })
  }
})

t.test('an offer that the seller ended stays ended', async t => {
  const { check, path } = await begin(1)
  restTasks(path, summary('x', 1, 0, 1), task('1', isEnded))
    .get('/sale/product-offers/1').reply(200, {
      id: '1',
      stock: { available: 3 },
      publication: { status: 'ENDED', endedBy: 'USER' }
    })

  t.match(await check(), { refusedQuantities: [{ externalId: '1', message: /Offer is ended/ }] })
})

t.test('an old quantity does not start an offer that has a newer one', async t => {
  const { check, checkOther, path, client, context } = await begin(1)
  advance(1_000)
  restWrite().put(/./).reply(201, summary('y', 0, 0, 0))
  await updateQuantities(client, unseeing(context), [{ externalId: '1', quantity: 5, commandId: 'later' }])
  rest().get(/./).reply(200, summary('y', 1, 1, 0))
  await checkOther('job-later', deriveCommandId('later\n5'))
  restTasks(path, summary('x', 1, 0, 1), task('1', isEnded))
    .get('/sale/product-offers/1').twice().reply(200, {
      id: '1',
      stock: { available: 0 },
      publication: { status: 'ENDED', endedBy: 'EMPTY_STOCK' }
    })

  t.match(await check(), { refusedQuantities: { length: 0 } })
})

t.test('a zero that arrives between the check of a sold-out offer and its start wins', async t => {
  const { check, path, client, context } = await begin(1)
  restTasks(path, summary('x', 1, 0, 1), task('1', isEnded))
    .get('/sale/product-offers/1').reply(200, {
      id: '1',
      stock: { available: 0 },
      publication: { status: 'ENDED', endedBy: 'EMPTY_STOCK' }
    })
  restWrite().patch('/sale/product-offers/1', { stock: { available: 0 } }).reply(200, {})
  const late = beforeLock(
    context,
    () => updateQuantities(client, context, [{ externalId: '1', quantity: 0, commandId: 'zero' }])
  )

  t.match(await check(1, 'job', late), { refusedQuantities: { length: 0 } })
})

t.test('the start of a sold-out offer is as old as the quantity that it writes', async t => {
  const { check, path, context } = await begin(1)
  const asked = context.clock.now().getTime()
  restTasks(path, summary('x', 1, 0, 1), task('1', isEnded))
    .get('/sale/product-offers/1').twice().reply(200, {
      id: '1',
      stock: { available: 0 },
      publication: { status: 'ENDED', endedBy: 'EMPTY_STOCK' }
    })
  restWrite().patch('/sale/product-offers/1').reply(200, {})
  advance(2_000)

  await check()

  t.equal((await listChanges(context.kv, { limit: 10 })).changes.length, 2)
  t.equal(
    await isOvertaken(context.kv, { offerId: '1', createdAt: new Date(asked + 1_000).toISOString() }),
    false,
    'a zero that was asked for in between'
  )
})

t.test('when an offer is gone before its start, only its own quantity is refused', async t => {
  const { check, path, states } = await begin(2)
  restTasks(path, summary('x', 2, 1, 1), task('1', isEnded), task('2'))
    .get('/sale/product-offers/1').reply(404)

  t.match(await check(), {
    refusedQuantities: [{ externalId: '1', message: /no such object/ }],
    result: { status: 'succeeded', refused: 1 }
  })
  t.match(await states(), { 1: ['rejected', /no such object/], 2: ['succeeded', null] })
})

t.test('a refused start refuses the quantity, and a repeated check says the same', async t => {
  const { check, path } = await begin(1)
  const tasks = { tasks: [task('1', isEnded)] }
  rest().get(path).reply(200, summary('x', 1, 0, 1)).get(`${path}/tasks?limit=1000&offset=0`).reply(200, tasks)
    .get('/sale/product-offers/1').twice().reply(200, {
      id: '1',
      stock: { available: 0 },
      publication: { status: 'ENDED', endedBy: 'EMPTY_STOCK' }
    })
  restWrite().patch('/sale/product-offers/1').reply(422, {
    errors: [{ code: 'Missing', message: 'a parameter is missing', path: 'parameters' }]
  })

  const refusedQuantities = [{ externalId: '1', message: /Missing: a parameter is missing/ }]
  t.match(await check(), { refusedQuantities })
  t.match(await check(), { refusedQuantities, result: { status: 'succeeded' } })
})
