import { AdapterErrorCode, type QuantityChange } from '@linker/sdk'
import t from 'tap'
import type { MarketplaceContext } from '../../src/config.ts'
import { rememberSoldOut } from '../../src/offers/quantity.ts'
import { isOvertaken, listChanges } from '../../src/quantities/changes.ts'
import { checkCommand } from '../../src/quantities/check.ts'
import { deriveCommandId } from '../../src/quantities/command.ts'
import { findForgotten } from '../../src/quantities/find-forgotten.ts'
import { hasEarlierCommand } from '../../src/quantities/store.ts'
import { updateQuantities } from '../../src/quantities/update.ts'
import { createMarketplace, rest, restWrite } from '../marketplace.ts'

const { connect, advance } = createMarketplace(t)

/** A connection with one accepted command for the offers `1`, `2`, …. */
async function begin (offers = 2, quantity = 8) {
  const { client, context, effects } = connect()
  const changeOf = (_: unknown, index: number): QuantityChange => ({
    externalId: String(index + 1),
    quantity,
    commandId: `job-${index + 1}`
  })
  const changes = Array.from({ length: offers }, changeOf)
  const commandId = deriveCommandId([...changes.map(change => change.commandId), quantity].join('\n'))
  if (quantity === 0) {
    restWrite().patch('/sale/product-offers/1').reply(202, {}, {
      location: 'https://api.sandbox.test/sale/product-offers/1/operations/op-1'
    })
  } else {
    restWrite().put(`/sale/offer-quantity-change-commands/${commandId}`).reply(201, summary(commandId, 0, 0, 0))
  }
  await updateQuantities(client, context, changes)
  return {
    client,
    context,
    effects,
    path: `/sale/offer-quantity-change-commands/${commandId}`,
    check: (attempt = 1, id = 'job', given = context) =>
      checkCommand.run(client, { id, type: 'mkta.quantityCommand.check', payload: { commandId, attempt } }, given),
    checkOther: (id: string, other: string, attempt = 1) =>
      checkCommand.run(
        client,
        { id, type: 'mkta.quantityCommand.check', payload: { commandId: other, attempt } },
        context
      ),
    restockOf: (offerId: string) => deriveCommandId(`${commandId}\nrestock\n${offerId}`),
    states: async () => {
      const { changes } = await listChanges(context.kv, { limit: 100 })
      return Object.fromEntries(changes.map(({ offerId, status, error }) => [offerId, [status, error]]))
    }
  }
}

/** A context whose lock first waits one second while `overtake` runs. */
function beforeLock<Given extends Pick<MarketplaceContext, 'locks'>> (
  context: Given,
  overtake: () => Promise<unknown>
): Given {
  const { locks } = context
  return {
    ...context,
    locks: {
      async run (name, work) {
        advance(1_000)
        await overtake()
        return locks.run(name, work)
      }
    }
  }
}

const summary = (id: string, total: number, success: number, failed: number, completedAt: string | null = null) => ({
  id,
  createdAt: '2025-01-02T12:00:00.000Z',
  completedAt,
  taskCount: { total, success, failed }
})
const task = (id: string, members: object = {}) => ({
  field: 'quantity',
  message: '',
  offer: { id },
  status: 'SUCCESS',
  errors: [],
  ...members
})
const restTasks = (path: string, found: object, ...tasks: object[]) =>
  rest().get(path).reply(200, found).get(`${path}/tasks?limit=1000&offset=0`).reply(200, { tasks })
const isEnded = {
  status: 'FAIL',
  message: 'Offer is ended',
  errors: [{ code: 'ATTEMPT_TO_CHANGE_OFFER_QUANTITY_TO_INVALID_VALUE', message: 'Offer is ended', path: 'quantity' }]
}

t.test('a command that succeeded for every offer ends at the first check', async t => {
  const { check, path, states, effects } = await begin()
  rest().get(path).reply(200, summary('x', 2, 2, 0))

  t.match(await check(), { refusedQuantities: [], result: { status: 'succeeded', offers: 2, refused: 0 } })
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
  const holdsUp = () =>
    hasEarlierCommand(context.kv, {
      quantity: 0,
      offerIds: ['1'],
      createdAt: '2025-01-02T13:00:00.000Z',
      status: 'accepted',
      error: null,
      updatedAt: '',
      isOfferWrite: true
    })

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

t.test('a command that never ends is given up, and so is one that the marketplace forgot', async t => {
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
  t.same(outcome?.refusedQuantities, [
    { externalId: '2', quantity: 8, message: said },
    { externalId: '3', quantity: 8, message: 'the marketplace knows no such offer of this seller' }
  ])
  t.match(await states(), { 1: ['succeeded', null], 2: ['rejected', said], 3: ['rejected', /no such offer/] })
})

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
    t.match(await check(), { refusedQuantities: [] })

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
  const { check, path, client, context } = await begin(1)
  advance(1_000)
  restWrite().put(/./).reply(201, summary('y', 0, 0, 0))
  await updateQuantities(client, context, [{ externalId: '1', quantity: 5, commandId: 'later' }])
  restTasks(path, summary('x', 1, 0, 1), task('1', isEnded))
    .get('/sale/product-offers/1').reply(200, {
      id: '1',
      stock: { available: 0 },
      publication: { status: 'ENDED', endedBy: 'EMPTY_STOCK' }
    })

  t.match(await check(), { refusedQuantities: [] })
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

  t.match(await check(1, 'job', late), { refusedQuantities: [] })
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

t.test('a quantity that a newer one followed is never reported as refused', async t => {
  const givenUp = await begin(2)
  const failed = await begin(2)
  const ended = await begin(2)
  const later = async ({ client, context }: typeof ended) => {
    restWrite().put(/./).reply(201, summary('y', 0, 0, 0))
    await updateQuantities(client, context, [{ externalId: '1', quantity: 5, commandId: 'later' }])
  }
  const two = [{ externalId: '2', quantity: 8 }]
  rest().get(ended.path).reply(404)
  t.equal((await ended.check())?.refusedQuantities?.length, 2)
  advance(1_000)
  for (const connection of [givenUp, failed, ended]) await later(connection)

  rest().get(givenUp.path).reply(404)
  t.match((await givenUp.check())?.refusedQuantities, two)
  restTasks(failed.path, summary('x', 2, 0, 2), task('1', { status: 'FAIL' }), task('2', { status: 'FAIL' }))
  for (const id of ['1', '2']) {
    rest().get(`/sale/product-offers/${id}`).reply(200, {
      id,
      stock: { available: 3 },
      publication: { status: 'ACTIVE' }
    })
  }
  t.match((await failed.check())?.refusedQuantities, two)
  const repeated = (await ended.check())?.refusedQuantities
  t.match(repeated, two)
  t.equal(repeated?.length, 1)
})

t.test('a second check of an ended command reports no refusal twice', async t => {
  const { check, path } = await begin(1)
  rest().get(path).reply(404)

  t.equal((await check(1, 'job-1'))?.refusedQuantities?.length, 1)
  t.equal((await check(1, 'job-2'))?.refusedQuantities?.length, 0)
  t.equal((await check(1, 'job-1'))?.refusedQuantities?.length, 1, 'the same job, repeated after an abort')
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

t.test('a transient fault leaves the command to the next attempt of the job', async t => {
  const { check, path, states } = await begin(1)
  rest().get(path).times(3).reply(503)

  await t.rejects(check(), { code: AdapterErrorCode.transient })
  t.match(await states(), { 1: ['accepted', null] })
})

t.test('a change of one offer ends with its operation, despite other faults of the offer', async t => {
  const { check, states, effects } = await begin(1, 0)
  const operation = '/sale/product-offers/1/operations/op-1'
  rest().get(operation).reply(202, { offer: { id: '1' }, operation: { id: 'op-1', status: 'IN_PROGRESS' } })
    .get(operation).reply(303, '', { location: 'https://api.sandbox.test/sale/product-offers/1' })
    .get('/sale/product-offers/1').reply(200, {
      id: '1',
      stock: { available: 0 },
      publication: { status: 'ENDED' },
      validation: { errors: [{ code: 'Old', message: 'fault' }] }
    })

  t.match(await check(), { result: { status: 'accepted' } })
  t.match(await check(2), { result: { status: 'succeeded' } })
  t.match(await states(), { 1: ['succeeded', null] })
  t.equal(effects.jobs.length, 2)
})

t.test('an operation that ends without the change refuses the quantity', async t => {
  const { check, states } = await begin(1, 0)
  rest().get('/sale/product-offers/1/operations/op-1').reply(200, {
    offer: { id: '1' },
    operation: { id: 'op-1', status: 'COMPLETED' }
  })
    .get('/sale/product-offers/1').reply(200, {
      id: '1',
      stock: { available: 3 },
      publication: { status: 'ACTIVE' },
      validation: { errors: [{ code: 'Missing', message: 'a parameter' }] }
    })

  t.match(await check(), { refusedQuantities: [{ externalId: '1', message: 'Missing: a parameter' }] })
  t.match(await states(), { 1: ['rejected', 'Missing: a parameter'] })
})

t.test('a zero outlasts the commands that were accepted before it', async t => {
  const { check, path, client, context, effects } = await begin(1)
  advance(1_000)
  restWrite().patch('/sale/product-offers/1', { stock: { available: 0 } }).twice().reply(200, {})
  await updateQuantities(client, context, [{ externalId: '1', quantity: 0, commandId: 'zero' }])
  const checkZero = async (attempt: number) =>
    checkCommand.run(
      client,
      { id: 'job', type: 'x', payload: { commandId: deriveCommandId('zero\n0'), attempt } },
      context
    )
  t.match(await checkZero(1), { result: { status: 'accepted' } })

  rest().get(path).reply(200, summary('x', 1, 1, 0))
  await check()
  const shown = (available: number) =>
    rest().get('/sale/product-offers/1').reply(200, {
      id: '1',
      stock: { available },
      publication: { status: 'ACTIVE' }
    })
  shown(8)
  t.match(await checkZero(2), { result: { status: 'accepted' } })
  shown(0)
  t.match(await checkZero(3), { result: { status: 'succeeded' } })

  t.equal(effects.jobs.filter(({ key }) => key.startsWith(deriveCommandId('zero\n0'))).length, 3)
})

t.test('a zero is not written again when a newer quantity arrives while it waits for the lock', async t => {
  const { check, client, context } = await begin(1, 0)
  const sold = { id: '1', stock: { available: 8 }, publication: { status: 'ACTIVE' } }
  rest().get('/sale/product-offers/1/operations/op-1').reply(303).get('/sale/product-offers/1').twice().reply(200, sold)
  const started = { stock: { available: 4 }, publication: { status: 'ACTIVE' } }
  restWrite().patch('/sale/product-offers/1', started).reply(200, {})
  const late = beforeLock(
    context,
    () => updateQuantities(client, context, [{ externalId: '1', quantity: 4, commandId: 'later' }])
  )

  t.match(await check(1, 'job', late), { result: { status: 'succeeded' } })
})

t.test('a zero waits for a command with a lost answer until the hub knows whether it was accepted', async t => {
  for (const isTaken of [true, false]) {
    const { client, context } = connect()
    const commandId = deriveCommandId('lost\n8')
    const path = `/sale/offer-quantity-change-commands/${commandId}`
    restWrite().put(path).reply(500).patch('/sale/product-offers/1').reply(200, {})
    await t.rejects(updateQuantities(client, context, [{ externalId: '1', quantity: 8, commandId: 'lost' }]))
    advance(1_000)
    await updateQuantities(client, context, [{ externalId: '1', quantity: 0, commandId: 'zero' }])
    const look = (id: string, attempt: number) =>
      checkCommand.run(
        client,
        { id: 'job', type: 'mkta.quantityCommand.check', payload: { commandId: id, attempt } },
        context
      )
    const zero = deriveCommandId('zero\n0')
    t.match(await look(zero, 1), { result: { status: 'accepted' } })

    advance(120_000)
    if (isTaken) rest().get(path).reply(200, summary(commandId, 1, 0, 0))
    else rest().get(path).reply(404)
    const find = { id: 'find', type: 'mkta.quantityCommands.findForgotten', payload: {} }
    t.same((await findForgotten.run(client, find, context))?.refusedQuantities, [])
    const { changes } = await listChanges(context.kv, { limit: 10 })
    t.match(
      changes.find(({ quantity }) => quantity === 8),
      isTaken ? { status: 'accepted' } : { status: 'failed', error: /did not reach/ }
    )

    if (isTaken) {
      t.match(await look(zero, 2), { result: { status: 'accepted' } })
      rest().get(path).reply(200, summary(commandId, 1, 1, 0))
      t.match(await look(commandId, 1), { result: { status: 'succeeded' } })
    }
    rest().get('/sale/product-offers/1').reply(200, {
      id: '1',
      stock: { available: 0 },
      publication: { status: 'ENDED' }
    })
    t.match(await look(zero, 3), { result: { status: 'succeeded' } })
  }
})

t.test('a quantity written to the offer itself outlasts the commands that were accepted before it', async t => {
  const { check, checkOther, path, client, context } = await begin(1)
  advance(1_000)
  await rememberSoldOut(context, '1')
  const shown = (available: number) =>
    rest().get('/sale/product-offers/1').reply(200, {
      id: '1',
      stock: { available },
      publication: { status: 'ACTIVE' }
    })
  shown(0)
  restWrite().patch('/sale/product-offers/1', { stock: { available: 3 }, publication: { status: 'ACTIVE' } }).twice()
    .reply(200, {})
  await updateQuantities(client, context, [{ externalId: '1', quantity: 3, commandId: 'three' }])
  const three = deriveCommandId('three\n3')
  t.match(await checkOther('job', three), { result: { status: 'accepted' } })

  rest().get(path).reply(200, summary('x', 1, 1, 0))
  await check()
  shown(8)
  shown(8)
  t.match(await checkOther('job', three, 2), { result: { status: 'accepted' } })
  shown(2)
  t.match(await checkOther('job', three, 3), { result: { status: 'succeeded' } }, 'one of the three was sold')
})

t.test('a zero that another quantity followed is not written again', async t => {
  const { client, context, check } = await begin(1, 0)
  advance(1_000)
  rest().get('/sale/product-offers/1').reply(200, {
    id: '1',
    stock: { available: 0 },
    publication: { status: 'ENDED', endedBy: 'EMPTY_STOCK' }
  })
  restWrite().patch('/sale/product-offers/1').reply(200, {})
  await updateQuantities(client, context, [{ externalId: '1', quantity: 4, commandId: 'later' }])

  rest().get('/sale/product-offers/1/operations/op-1').reply(303).get('/sale/product-offers/1').reply(200, {
    id: '1',
    stock: { available: 4 },
    publication: { status: 'ACTIVE' }
  })
  t.match(await check(), { result: { status: 'succeeded' } })
})

t.test("an offer that is gone, or is another seller's, refuses the quantity", async t => {
  const { check, states } = await begin(1, 0)
  rest().get('/sale/product-offers/1/operations/op-1').reply(404).get('/sale/product-offers/1').reply(404)

  t.match(await check(), { refusedQuantities: [{ externalId: '1', message: /no such object/ }] })
  t.match(await states(), { 1: ['failed', /no such object/] })
})

t.test('a check of a command that is no longer stored answers unknown', async t => {
  const { client, context } = connect()

  const payload = { commandId: deriveCommandId('x'), attempt: 1 }
  const job = { id: 'job', type: 'mkta.quantityCommand.check', payload }
  t.match(await checkCommand.run(client, job, context), { result: { status: 'unknown' } })
})

t.test('a command whose check was lost is found when the check is overdue', async t => {
  const { check, path, client, context, effects } = await begin(1)
  const find = () =>
    findForgotten.run(client, { id: 'job', type: 'mkta.quantityCommands.findForgotten', payload: {} }, context)
  const [{ payload } = { payload: {} }] = effects.jobs
  advance(120_000)
  t.match(await find(), { result: { overdue: 0 } })

  advance(3_000)
  t.match(await find(), { result: { overdue: 1 } })
  t.same(effects.jobs.at(-1)?.payload, payload)

  rest().get(path).reply(200, summary('x', 1, 1, 0))
  await check()
  advance(600_000)
  t.match(await find(), { result: { overdue: 0 } })
})

t.test('a command whose result cannot be read for a day is given up', async t => {
  const { client, context, states } = await begin(1)
  advance(24 * 3_600_000 + 1)

  const job = { id: 'job', type: 'mkta.quantityCommands.findForgotten', payload: {} }
  t.match(await findForgotten.run(client, job, context), {
    refusedQuantities: [{ externalId: '1', message: /for a day/ }]
  })
  t.match(await states(), { 1: ['failed', /for a day/] })
})
