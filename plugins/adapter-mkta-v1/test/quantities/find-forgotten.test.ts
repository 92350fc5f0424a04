import t from 'tap'
import { listChanges } from '../../src/quantities/changes.ts'
import { checkCommand } from '../../src/quantities/check.ts'
import { deriveCommandId } from '../../src/quantities/command.ts'
import { findForgotten, findForgottenJob } from '../../src/quantities/find-forgotten.ts'
import { updateQuantities } from '../../src/quantities/update.ts'
import { rest, restWrite } from '../marketplace.ts'
import { createAcceptedCommand, summary } from './accepted-command.ts'

const { advance, begin, connect } = createAcceptedCommand(t)

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
  t.same((await find())?.overwrittenOffers, [])
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
