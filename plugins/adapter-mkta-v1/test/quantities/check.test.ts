import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { checkCommand } from '../../src/quantities/check.ts'
import { deriveCommandId } from '../../src/quantities/command.ts'
import { updateQuantities } from '../../src/quantities/update.ts'
import { rest, restWrite } from '../marketplace.ts'
import { createAcceptedCommand, restTasks, summary, task, unseeing } from './accepted-command.ts'

const { advance, begin, connect } = createAcceptedCommand(t)

t.test('a second check of an ended command reports no refusal twice', async t => {
  const { check, path } = await begin(1)
  rest().get(path).reply(404)

  t.equal((await check(1, 'job-1'))?.refusedQuantities?.length, 1)
  t.equal((await check(1, 'job-2'))?.refusedQuantities, undefined)
  t.equal((await check(1, 'job-1'))?.refusedQuantities?.length, 1, 'the same job, repeated after an abort')
})

t.test('a quantity that a newer one followed is never reported as refused', async t => {
  const givenUp = await begin(2)
  const failed = await begin(2)
  const ended = await begin(2)
  const later = async ({ client, context, checkOther }: typeof ended) => {
    restWrite().put(/./).reply(201, summary('y', 0, 0, 0))
    await updateQuantities(client, unseeing(context), [{ externalId: '1', quantity: 5, commandId: 'later' }])
    rest().get(/./).reply(200, summary('y', 1, 1, 0))
    await checkOther('job-later', deriveCommandId('later\n5'))
  }
  const two = [{ externalId: '2', quantity: 8 }]
  rest().get(ended.path).reply(404)
  t.equal((await ended.check())?.refusedQuantities?.length, 2)
  advance(1_000)
  for (const connection of [givenUp, failed, ended]) await later(connection)

  rest().get(givenUp.path).reply(404)
  t.match((await givenUp.check())?.refusedQuantities, two)
  restTasks(failed.path, summary('x', 2, 0, 2), task('1', { status: 'FAIL' }), task('2', { status: 'FAIL' }))
  for (const id of ['1', '2', '1']) {
    rest().get(`/sale/product-offers/${id}`).reply(200, {
      id,
      stock: { available: 3 },
      publication: { status: 'ACTIVE' }
    })
  }
  t.match((await failed.check())?.refusedQuantities, two)
  rest().get('/sale/product-offers/1').reply(200, {
    id: '1',
    stock: { available: 5 },
    publication: { status: 'ACTIVE' }
  })
  const repeated = (await ended.check())?.refusedQuantities
  t.match(repeated, two)
  t.equal(repeated?.length, 1)
})

t.test('a transient fault leaves the command to the next attempt of the job', async t => {
  const { check, path, states } = await begin(1)
  rest().get(path).times(3).reply(503)

  await t.rejects(check(), { code: AdapterErrorCode.transient })
  t.match(await states(), { 1: ['accepted', null] })
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
