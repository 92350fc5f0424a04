import t from 'tap'
import { rememberSoldOut } from '../../../src/offers/quantity.ts'
import { checkCommand } from '../../../src/quantities/check.ts'
import { deriveCommandId } from '../../../src/quantities/command.ts'
import { updateQuantities } from '../../../src/quantities/update.ts'
import { rest, restWrite } from '../../marketplace.ts'
import { createAcceptedCommand, summary, unseeing } from '../accepted-command.ts'

const { advance, beforeLock, begin } = createAcceptedCommand(t)

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

t.test('an operation that the marketplace refuses at its end refuses the quantity', async t => {
  const { check, states } = await begin(1, 0)
  rest().get('/sale/product-offers/1/operations/op-1').reply(422, { errors: [{ code: 'Missing', message: 'a brand' }] })

  t.match(await check(), {
    refusedQuantities: [{ externalId: '1', message: /Missing: a brand/ }],
    result: { status: 'rejected' }
  })
  t.match(await states(), { 1: ['rejected', /Missing: a brand/] })
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

t.test('a quantity written to the offer itself while a command is open outlasts it', async t => {
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
  await updateQuantities(client, unseeing(context), [{ externalId: '1', quantity: 3, commandId: 'three' }])
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

t.test('an offer that shows a zero although a newer quantity was written is named', async t => {
  const five = deriveCommandId('later\n5')
  const operationOf = (id: string) => `/sale/product-offers/1/operations/${id}`
  async function overlap (shown: number, isOpen: boolean) {
    const show = (available: number) =>
      rest().get('/sale/product-offers/1').reply(200, {
        id: '1',
        stock: { available },
        publication: { status: 'ACTIVE' }
      })
    const { client, context, check, checkOther } = await begin(1, 0)
    advance(1_000)
    show(3)
    restWrite().patch('/sale/product-offers/1').reply(isOpen ? 202 : 200, {}, {
      location: `https://api.sandbox.test${operationOf('op-2')}`
    })
    await updateQuantities(client, context, [{ externalId: '1', quantity: 5, commandId: 'later' }])
    rest().get(operationOf('op-1')).reply(303)
    if (isOpen) {
      t.match(await check(), { result: { status: 'accepted' } }, 'it waits for the newer write')
      rest().get(operationOf('op-2')).reply(303).get(operationOf('op-1')).reply(303)
      show(shown)
      t.match(await checkOther('job-later', five), { result: { status: 'succeeded' } })
    }

    show(shown)
    const outcome = await check(2)
    show(shown)
    t.same((await check(2))?.overwrittenOffers, outcome?.overwrittenOffers, 'the same job, after an abort')
    return outcome
  }

  for (const isOpen of [false, true]) {
    t.match(await overlap(0, isOpen), { overwrittenOffers: ['1'], result: { status: 'succeeded' } })
    for (const shown of [5, 4]) t.same((await overlap(shown, isOpen))?.overwrittenOffers, [])
  }
})
