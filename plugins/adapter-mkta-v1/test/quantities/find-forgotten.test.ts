import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { listChanges } from '../../src/quantities/changes.ts'
import { checkCommand } from '../../src/quantities/check.ts'
import { deriveCommandId } from '../../src/quantities/command.ts'
import { findForgotten, findForgottenJob } from '../../src/quantities/find-forgotten.ts'
import { updateQuantities } from '../../src/quantities/update.ts'
import { rest, restWrite } from '../marketplace.ts'
import { createAcceptedCommand, summary } from './accepted-command.ts'

const { advance, begin, connect, logs } = createAcceptedCommand(t)

t.test('a zero waits for a command with a lost answer until the hub knows whether it was accepted', async t => {
  for (const isTaken of [true, false]) {
    const { client, context, effects } = connect()
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

    const findJobs = () => effects.jobs.filter(({ jobType }) => jobType === findForgottenJob)
    t.same(findJobs(), [])
    advance(120_000)
    // Two checks of the waiting zero ask for one search.
    for (const attempt of [2, 3]) t.match(await look(zero, attempt), { result: { status: 'accepted' } })
    t.equal(new Set(findJobs().map(({ key }) => key)).size, 1)
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

t.test('a command that is carried out after the hub gave it up does not replace a newer quantity for long', async t => {
  const { check, checkOther, path, client, context } = await begin(1)
  const find = () =>
    findForgotten.run(client, { id: 'find', type: 'mkta.quantityCommands.findForgotten', payload: {} }, context)
  rest().get(path).reply(200, summary('x', 0, 0, 0))
  t.match(await check(10), { result: { status: 'failed' } })
  advance(1_000)
  const later = deriveCommandId('later\n2')
  const laterPath = `/sale/offer-quantity-change-commands/${later}`
  restWrite().put(laterPath).reply(201, summary(later, 0, 0, 0))
  await updateQuantities(client, context, [{ externalId: '1', quantity: 2, commandId: 'later' }])
  rest().get(laterPath).reply(200, summary(later, 1, 1, 0)).get(path).reply(200, summary('x', 0, 0, 0))
  await checkOther('job-later', later)
  t.same((await find())?.overwrittenOffers, [], 'it is not carried out yet')

  rest().get(path).reply(200, summary('x', 1, 1, 0)).get('/sale/product-offers/1').reply(200, {
    id: '1',
    stock: { available: 8 },
    publication: { status: 'ACTIVE' }
  })
  t.same((await find())?.overwrittenOffers, ['1'])

  // The answer of the job may be lost, so the next one looks again.
  rest().get(path).reply(200, summary('x', 1, 1, 0)).get('/sale/product-offers/1').reply(200, {
    id: '1',
    stock: { available: 2 },
    publication: { status: 'ACTIVE' }
  })
  t.same((await find())?.overwrittenOffers, [])
  t.same((await find())?.overwrittenOffers, [], 'it is forgotten')
})

t.test('a late command that cannot be read does not hold up the others', async t => {
  const { client, context } = connect()
  const paths: string[] = []
  for (const name of ['first', 'second']) {
    const externalId = String(paths.length + 1)
    const send = async (quantity: number) => {
      const id = deriveCommandId(`${name}-${quantity}\n${quantity}`)
      const path = `/sale/offer-quantity-change-commands/${id}`
      restWrite().put(path).reply(201, summary(id, 0, 0, 0))
      await updateQuantities(client, context, [{ externalId, quantity, commandId: `${name}-${quantity}` }])
      const check = (attempt: number) =>
        checkCommand.run(
          client,
          { id: 'job', type: 'mkta.quantityCommand.check', payload: { commandId: id, attempt } },
          context
        )
      return { path, check }
    }
    const older = await send(8)
    rest().get(older.path).reply(200, summary('x', 0, 0, 0))
    await older.check(10)
    advance(1_000)
    const newer = await send(2)
    rest().get(newer.path).reply(200, summary('x', 1, 1, 0))
    await newer.check(1)
    paths.push(older.path)
  }
  const find = () =>
    findForgotten.run(client, { id: 'find', type: 'mkta.quantityCommands.findForgotten', payload: {} }, context)
  const [first = '', second = ''] = paths
  for (const [failing, found, externalId] of [[first, second, '2'], [second, first, '1']] as const) {
    rest().get(failing).times(3).reply(503).get(found).reply(200, summary('x', 1, 1, 0))
      .get(`/sale/product-offers/${externalId}`).reply(200, {
        id: externalId,
        stock: { available: 8 },
        publication: { status: 'ACTIVE' }
      })
    t.same((await find())?.overwrittenOffers, [externalId])
  }
  t.equal(logs.filter(({ message }) => message === 'the hub could not settle a forgotten command').length, 2)

  for (const path of paths) rest().get(path).times(3).reply(503)
  await t.rejects(find(), { code: AdapterErrorCode.transient }, 'all of them failed')
})

t.test('a command whose result cannot be read for a day is given up', async t => {
  const { client, context, path, states } = await begin(1)
  advance(24 * 3_600_000 + 1)

  const job = { id: 'job', type: 'mkta.quantityCommands.findForgotten', payload: {} }
  t.match(await findForgotten.run(client, job, context), {
    refusedQuantities: [{ externalId: '1', message: /for a day/ }]
  })
  t.match(await findForgotten.run(client, job, context), {
    refusedQuantities: [{ externalId: '1', message: /for a day/ }]
  }, 'the same job, after an abort')
  rest().get(path).reply(404)
  t.same((await findForgotten.run(client, { ...job, id: 'next' }, context))?.refusedQuantities, [])
  t.same((await findForgotten.run(client, { ...job, id: 'next' }, context))?.refusedQuantities, [], 'it is forgotten')
  t.match(await states(), { 1: ['failed', /for a day/] })
})
