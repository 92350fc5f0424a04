import { AdapterErrorCode, type QuantityChange } from '@linker/sdk'
import type nock from 'nock'
import t from 'tap'
import { createMarketplace as createCapability } from '../../src/marketplace.ts'
import { mayBeSoldOut, rememberSoldOut } from '../../src/offers/quantity.ts'
import { takeAllowance } from '../../src/quantities/allowance.ts'
import { listChanges } from '../../src/quantities/changes.ts'
import { checkCommand } from '../../src/quantities/check.ts'
import { deriveCommandId } from '../../src/quantities/command.ts'
import { createMarketplace, rest, restWrite } from '../marketplace.ts'

const { advance, connect, logs } = createMarketplace(t)
const { outcomeUnknown, rateLimited, rejected, transient, writeUnderWay } = AdapterErrorCode

function openConnection () {
  const { client, context, effects } = connect()
  return {
    ...createCapability(client, context),
    context,
    effects,
    end (commandId: string) {
      rest().get(path(commandId)).reply(200, { ...accepted(commandId), taskCount: { total: 1, success: 1, failed: 0 } })
      return checkCommand.run(client, { id: 'check', type: 'x', payload: { commandId, attempt: 1 } }, context)
    },
    listed: async () => (await listChanges(context.kv, { limit: 100 })).changes
  }
}

const change = (externalId: string, quantity: number, commandId = `job-${externalId}`): QuantityChange => ({
  externalId,
  quantity,
  commandId
})
const commandOf = (quantity: number, ...names: string[]) => deriveCommandId([...names, quantity].join('\n'))
const path = (commandId: string) => `/sale/offer-quantity-change-commands/${commandId}`
const body = (value: number, ...ids: string[]) => ({
  modification: { changeType: 'FIXED', value },
  offerCriteria: [{ type: 'CONTAINS_OFFERS', offers: ids.map(id => ({ id })) }]
})
const accepted = (id: string) => ({
  id,
  createdAt: '2025-01-02T12:00:00.000Z',
  completedAt: null,
  taskCount: { total: 0, success: 0, failed: 0 }
})
const written = (externalId: string) => ({ externalId, applied: ['stock'], frozen: [] })
const byId = (a: { externalId: string }, b: { externalId: string }): number => a.externalId < b.externalId ? -1 : 1

t.test('offers with the same quantity share one command, and a job checks its end', async t => {
  const [eight, five] = [commandOf(8, 'job-1', 'job-2'), commandOf(5, 'job-3')]
  restWrite().put(path(eight), body(8, '2', '1')).reply(201, accepted(eight))
    .put(path(five), body(5, '3')).reply(201, accepted(five))
  const { updateOfferQuantities, effects, listed } = openConnection()

  const results = await updateOfferQuantities([change('2', 8), change('3', 5), change('1', 8)])

  t.same(results.toSorted(byId), [written('1'), written('2'), written('3')])
  const jobs = effects.jobs.map(({ jobType, payload, key, delayMs }) => ({ jobType, payload, key, delayMs }))
  const jobOf = (commandId: string) => ({
    jobType: 'mkta.quantityCommand.check',
    payload: { commandId, attempt: 1 },
    key: `${commandId}:1`,
    delayMs: 2_000
  })
  const isEight = ({ key }: { key: string }): number => key === `${eight}:1` ? 0 : 1
  t.same(jobs.toSorted((a, b) => isEight(a) - isEight(b)), [jobOf(eight), jobOf(five)])
  const changes = (await listed()).map(({ commandId, offerId, quantity, status, error }) => ({
    commandId,
    offerId,
    quantity,
    status,
    error
  }))
  t.same(changes.toSorted((a, b) => a.offerId < b.offerId ? -1 : 1), [
    { commandId: eight, offerId: '1', quantity: 8, status: 'accepted', error: null },
    { commandId: eight, offerId: '2', quantity: 8, status: 'accepted', error: null },
    { commandId: five, offerId: '3', quantity: 5, status: 'accepted', error: null }
  ])
})

t.test('a command has at most a thousand offers', async t => {
  const sizes: number[] = []
  const count = (sent: ReturnType<typeof body>): boolean => {
    sizes.push(sent.offerCriteria[0]?.offers.length ?? 0)
    return true
  }
  restWrite().put(/^\/sale\/offer-quantity-change-commands\//, count).twice().reply(201, accepted('x'))

  const changes = Array.from({ length: 1_001 }, (_, index) => change(String(index), 8))
  t.equal((await openConnection().updateOfferQuantities(changes)).length, 1_001)
  t.same(sizes.toSorted((a, b) => a - b), [1, 1_000])
})

t.test('changes beyond the limit of a minute are not sent, and their jobs come again', async t => {
  const { updateOfferQuantities, updateOfferQuantity, context, listed } = openConnection()
  const changes = Array.from({ length: 11 }, (_, index) => change(String(index), 8))
  await takeAllowance(context, [7_990])

  const [held] = await updateOfferQuantities(changes)
  t.match(held, {
    externalId: '0',
    error: {
      code: rateLimited,
      message: /^the hub holds the change back: .* 9 000 changed offers a minute/,
      retryAfterMs: 65_000
    }
  })
  t.same(await listed(), [], 'nothing is stored of them')
  const sent = () => restWrite().put(/^\/sale\/offer-quantity-change-commands\//).reply(201, accepted('x'))
  sent()
  t.same(await updateOfferQuantity(change('20', 8)), { applied: ['stock'], frozen: [] }, 'the reserve')
  for (let call = 0; call < 100; call++) await takeAllowance(context, [10])
  await takeAllowance(context, [9])
  await t.rejects(updateOfferQuantity(change('21', 8)), { code: rateLimited, retryAfterMs: 65_000 })
  advance(65_000)
  sent()
  t.match(await updateOfferQuantities(changes), [written('0')])
})

t.test('a retry after a lost answer repeats the very same command', async t => {
  const commandId = commandOf(8, 'job-1', 'job-2')
  restWrite().put(path(commandId), body(8, '1', '2')).reply(500)
  const { updateOfferQuantities, updateOfferQuantity, listed } = openConnection()
  await t.rejects(updateOfferQuantities([change('1', 8), change('2', 8)]), { code: transient })
  t.same((await listed()).map(({ status }) => status), ['queued', 'queued'])

  restWrite().put(path(commandId), body(8, '1', '2')).reply(409, {
    errors: [{ code: 'CommandAlreadyExists', message: 'exists' }]
  })
  rest().get(path(commandId)).reply(200, accepted(commandId))
  t.same(await updateOfferQuantities([change('2', 8), change('1', 8)]), [written('2'), written('1')])

  const repeated = await updateOfferQuantity(change('2', 8))
  t.same(repeated, { applied: ['stock'], frozen: [] }, 'an accepted command is not sent again')
  t.same((await listed()).map(({ status }) => status), ['accepted', 'accepted'])
})

t.test('a retry without an offer of the command sends no quantity for that offer', async t => {
  const both = commandOf(5, 'job-1', 'job-2')
  restWrite().put(path(both), body(5, '1', '2')).reply(500)
  const { updateOfferQuantities, updateOfferQuantity } = openConnection()
  await t.rejects(updateOfferQuantities([change('1', 5), change('2', 5)]), { code: transient })

  const [one, five] = [commandOf(1, 'job-2/1'), commandOf(5, 'job-1/1')]
  rest().get(path(both)).reply(404)
  restWrite().put(path(one), body(1, '2')).reply(201, accepted(one))
    .put(path(five), body(5, '1')).reply(201, accepted(five))
  t.same(await updateOfferQuantity(change('2', 1)), { applied: ['stock'], frozen: [] })
  t.same(await updateOfferQuantity(change('1', 5)), { applied: ['stock'], frozen: [] })
})

t.test('a retry with another quantity for one offer sends two new commands', async t => {
  const both = commandOf(5, 'job-1', 'job-2')
  restWrite().put(path(both)).reply(500)
  const { updateOfferQuantities } = openConnection()
  await t.rejects(updateOfferQuantities([change('1', 5), change('2', 5)]), { code: transient })

  const [one, five] = [commandOf(1, 'job-2/1'), commandOf(5, 'job-1/1')]
  rest().get(path(both)).reply(404)
  restWrite().put(path(one), body(1, '2')).reply(201, accepted(one))
    .put(path(five), body(5, '1')).reply(201, accepted(five))
  const results = await updateOfferQuantities([change('1', 5), change('2', 1)])
  t.same(results.toSorted(byId), [written('1'), written('2')])
})

t.test('a retry answers for its own offers, not for others of the command', async t => {
  const both = commandOf(5, 'job-1', 'job-2')
  restWrite().put(path(both)).reply(201, accepted(both))
  const { updateOfferQuantities } = openConnection()
  await updateOfferQuantities([change('1', 5), change('2', 5)])

  const results = await updateOfferQuantities([change('1', 5), change('2', 6)])
  t.match(results.toSorted(byId), [written('1'), { externalId: '2', error: { code: writeUnderWay } }])
})

t.test('a retry of a quantity writes it even when another came in between', async t => {
  const { updateOfferQuantity } = openConnection()
  restWrite().patch('/sale/product-offers/1', { stock: { available: 0 } }).twice().reply(200, {})
    .patch('/sale/product-offers/1', { stock: { available: 4 }, publication: { status: 'ACTIVE' } }).reply(200, {})
  rest().get('/sale/product-offers/1').reply(200, {
    id: '1',
    stock: { available: 0 },
    publication: { status: 'ENDED', endedBy: 'EMPTY_STOCK' }
  })
  await updateOfferQuantity(change('1', 0, 'a'))
  advance(1_000)
  await updateOfferQuantity(change('1', 4, 'b'))
  advance(1_000)

  await t.resolves(updateOfferQuantity(change('1', 0, 'a')))
})

t.test('when a used command id is unknown to the marketplace, the retry takes another id', async t => {
  const [commandId, again] = [commandOf(8, 'job-1'), commandOf(8, 'job-1/1')]
  restWrite().put(path(commandId)).reply(409)
  rest().get(path(commandId)).reply(404)
  const { updateOfferQuantity, listed } = openConnection()
  await t.rejects(updateOfferQuantity(change('1', 8)), { code: transient, status: 409 })
  t.match(await listed(), [{ status: 'rejected', error: /knows no such command/ }])

  restWrite().put(path(again), body(8, '1')).reply(201, accepted(again))
  await t.resolves(updateOfferQuantity(change('1', 8)))
})

t.test('a quantity that changed between retries gets a new command id, even when it changes back', async t => {
  const { updateOfferQuantity, end } = openConnection()
  for (const [quantity, name] of [[5, 'job-1'], [6, 'job-1/1'], [5, 'job-1/2']] as const) {
    const commandId = commandOf(quantity, name)
    restWrite().put(path(commandId), body(quantity, '1')).reply(201, accepted(commandId))
    await t.resolves(updateOfferQuantity(change('1', quantity)))
    await end(commandId)
  }
})

t.test('a quantity waits until the command before it has ended, without a request of its own', async t => {
  const { updateOfferQuantity, updateOfferQuantities, end, listed } = openConnection()
  const [eight, five, two] = [commandOf(8, 'a'), commandOf(5, 'e'), commandOf(2, 'd')]
  restWrite().put(path(eight), body(8, '1')).reply(201, accepted(eight))
  await updateOfferQuantity(change('1', 8, 'a'))

  for (const [quantity, commandId, retryAfterMs] of [[3, 'b', 2_500], [9, 'c', 1_500], [2, 'd', 500]] as const) {
    await t.rejects(updateOfferQuantity(change('1', quantity, commandId)), { code: writeUnderWay, retryAfterMs })
    advance(1_000)
  }
  restWrite().put(path(five), body(5, '2')).reply(201, accepted(five))
  t.match(await updateOfferQuantities([change('1', 2, 'd'), change('2', 5, 'e')]), [
    { externalId: '1', applied: [], error: { code: writeUnderWay, retryAfterMs: 500 } },
    written('2')
  ], 'other offers do not wait for it')

  await end(eight)
  restWrite().put(path(two), body(2, '1')).reply(201, accepted(two))
  await t.resolves(updateOfferQuantity(change('1', 2, 'd')))
  t.same(
    (await listed()).map(({ quantity }) => quantity).toSorted(),
    [2, 5, 8],
    'the quantities between were never sent'
  )
})

t.test('the marketplace is asked for a command that no check looks after', async t => {
  const lost = commandOf(8, 'a')
  const [done, open] = [{ ...accepted(lost), taskCount: { total: 1, success: 1, failed: 0 } }, accepted(lost)]
  const five = (name: string) => restWrite().put(path(commandOf(5, name)), body(5, '1')).reply(201, accepted('x'))
  const sendLost = async (answer: (interceptor: nock.Interceptor) => unknown) => {
    const opened = openConnection()
    answer(restWrite().put(path(lost)))
    await opened.updateOfferQuantity(change('1', 8, 'a')).catch(() => undefined)
    return (name: string) => opened.updateOfferQuantity(change('1', 5, name))
  }

  const unanswered = await sendLost(put => put.replyWithError({ code: 'ECONNRESET' }))
  rest().get(path(lost)).reply(404)
  await t.rejects(unanswered('b'), { code: writeUnderWay }, 'the request may still be on its way')
  advance(61_000)
  rest().get(path(lost)).reply(404)
  five('b')
  await t.resolves(unanswered('b'))

  const taken = await sendLost(put => put.reply(502))
  rest().get(path(lost)).reply(200, open)
  await t.rejects(taken('b'), { code: writeUnderWay })

  const unchecked = await sendLost(put => put.reply(201, accepted(lost)))
  advance(13_000)
  rest().get(path(lost)).reply(200, open)
  await t.rejects(unchecked('b'), { code: writeUnderWay })
  rest().get(path(lost)).reply(200, done)
  five('b')
  await t.resolves(unchecked('b'))
})

t.test('a refused quantity is stored with its reason, and a retry sends it under another id', async t => {
  const commandId = commandOf(8, 'job-1')
  restWrite().put(path(commandId)).reply(422, {
    errors: [{ code: 'INCORRECT_QUANTITY_VALUE', message: 'must be at least 1', path: 'modification.value' }]
  })
  const { updateOfferQuantity, listed } = openConnection()
  await t.rejects(updateOfferQuantity(change('1', 8)), { code: rejected, message: /INCORRECT_QUANTITY_VALUE/ })
  t.match(await listed(), [{ status: 'rejected', error: /INCORRECT_QUANTITY_VALUE/ }])

  const again = commandOf(8, 'job-1/1')
  restWrite().put(path(again)).reply(201, accepted(again))
  await t.resolves(updateOfferQuantity(change('1', 8)))
})

t.test('a failed command does not affect another command', async t => {
  const [eight, five] = [commandOf(8, 'job-1'), commandOf(5, 'job-2')]
  restWrite().put(path(eight)).reply(400, { errors: [{ code: 'Bad', message: 'no' }] })
    .put(path(five)).reply(201, accepted(five))

  const results = await openConnection().updateOfferQuantities([change('1', 8), change('2', 5)])

  t.match(results.find(({ externalId }) => externalId === '1'), {
    applied: { length: 0 },
    error: { code: rejected, message: /Bad: no/ }
  })
  t.same(results.find(({ externalId }) => externalId === '2'), written('2'))
})

t.test('a rate limit of every command is thrown with the time to wait', async t => {
  restWrite().put(/./).reply(429, '', { 'retry-after': '20' })

  await t.rejects(openConnection().updateOfferQuantity(change('1', 8)), { code: rateLimited, retryAfterMs: 20_000 })
})

t.test('an invalid quantity or offer id is refused before any request', async t => {
  const invalid = [
    ['1', -1],
    ['1', 1.5],
    ['1', Number.NaN],
    ['1', 2_000_000_001],
    ['', 1],
    ['..', 1],
    ['a/b', 1],
    ['x'.repeat(51), 1]
  ] as const
  for (const [externalId, quantity] of invalid) {
    await t.rejects(openConnection().updateOfferQuantity(change(externalId, quantity)), {
      code: rejected,
      message: /quantity|id of an offer/
    })
  }

  const five = commandOf(5, 'job-2')
  restWrite().put(path(five), body(5, '2')).reply(201, accepted(five))
  t.match(await openConnection().updateOfferQuantities([change('..', 5), change('2', 5)]), [
    { externalId: '..', error: { code: rejected } },
    { externalId: '2', applied: ['stock'] }
  ])
})

t.test('zero is written to the offer, which ends it, and is never sent in a command', async t => {
  restWrite().patch('/sale/product-offers/1', { stock: { available: 0 } }).reply(200, {})
  const { updateOfferQuantity, effects, listed } = openConnection()

  t.same(await updateOfferQuantity(change('1', 0)), { applied: ['stock'], frozen: [] })

  t.match(effects.jobs, [{ jobType: 'mkta.quantityCommand.check', payload: { commandId: commandOf(0, 'job-1') } }])
  t.match(await listed(), [{ offerId: '1', quantity: 0, status: 'accepted' }])
})

t.test('an offer that ended by our zero gets its stock and its start in one write', async t => {
  const { updateOfferQuantity } = openConnection()
  const ended = { id: '1', stock: { available: 0 }, publication: { status: 'ENDED', endedBy: 'EMPTY_STOCK' } }
  restWrite().patch('/sale/product-offers/1', { stock: { available: 0 } }).reply(200, {})
    .patch('/sale/product-offers/1', { stock: { available: 4 }, publication: { status: 'ACTIVE' } }).reply(200, {})
  rest().get('/sale/product-offers/1').reply(200, ended)
  await updateOfferQuantity(change('1', 0, 'a'))
  await t.resolves(updateOfferQuantity(change('1', 4, 'b')))

  const commandId = commandOf(5, 'c')
  restWrite().put(path(commandId), body(5, '1')).reply(201, accepted(commandId))
  await updateOfferQuantity(change('1', 5, 'c'))
})

t.test('an offer that the seller ended or never published gets its stock and is not started', async t => {
  for (const publication of [{ status: 'ENDED', endedBy: 'USER' }, { status: 'INACTIVE' }]) {
    logs.length = 0
    const { updateOfferQuantity } = openConnection()
    restWrite().patch('/sale/product-offers/1', { stock: { available: 0 } }).reply(200, {})
      .patch('/sale/product-offers/1', { stock: { available: 4 } }).reply(200, {})
    rest().get('/sale/product-offers/1').reply(200, { id: '1', stock: { available: 0 }, publication })

    await updateOfferQuantity(change('1', 0, 'a'))
    await updateOfferQuantity(change('1', 4, 'b'))

    t.match(logs, [{ level: 'warn', fields: { externalId: '1', status: publication.status } }])
  }
})

t.test('an offer that comes back by itself stays remembered while it has not come back', async t => {
  for (const republish of [true, false]) {
    const { updateOfferQuantity, context } = openConnection()
    await rememberSoldOut(context, '1')
    restWrite().patch('/sale/product-offers/1', { stock: { available: 4 } }).reply(200, {})
    rest().get('/sale/product-offers/1').reply(200, {
      id: '1',
      stock: { available: 8 },
      publication: { status: 'ENDED', endedBy: 'EXPIRATION', republish }
    })
    await updateOfferQuantity(change('1', 4))

    t.equal(await mayBeSoldOut(context, '1'), republish)
  }
})

t.test('a quantity is refused with the faults that the offer has after the write', async t => {
  const { updateOfferQuantity, listed } = openConnection()
  restWrite().patch('/sale/product-offers/1', { stock: { available: 0 } }).reply(200, {})
    .patch('/sale/product-offers/1').reply(200, {
      id: '1',
      stock: { available: 4 },
      publication: { status: 'INACTIVE' },
      validation: { errors: [{ code: 'ParameterMissing', message: 'Brand is required', path: 'parameters' }] }
    })
  rest().get('/sale/product-offers/1').reply(200, {
    id: '1',
    stock: { available: 0 },
    publication: { status: 'ENDED', endedBy: 'EMPTY_STOCK' }
  })

  await updateOfferQuantity(change('1', 0, 'a'))
  await t.rejects(updateOfferQuantity(change('1', 4, 'b')), { code: rejected, message: /Brand is required/ })

  t.match((await listed()).find(({ quantity }) => quantity === 4), { status: 'rejected', error: /Brand is required/ })
})

t.test('a job checks a write that the marketplace finishes later', async t => {
  restWrite().patch('/sale/product-offers/1').reply(202, {}, {
    location: 'https://api.sandbox.test/sale/product-offers/1/operations/op-1',
    'retry-after': '5'
  })
  const { updateOfferQuantity, effects, listed } = openConnection()

  await updateOfferQuantity(change('1', 0))

  t.match(effects.jobs, [{ payload: { commandId: commandOf(0, 'job-1'), attempt: 1 } }])
  t.match(await listed(), [{ status: 'accepted' }])
})

t.test('a write during another operation stays queued for a retry', async t => {
  restWrite().patch('/sale/product-offers/1').reply(409)
  const { updateOfferQuantity, listed } = openConnection()

  await t.rejects(updateOfferQuantity(change('1', 0)), { code: transient, status: 409 })
  t.match(await listed(), [{ status: 'queued' }])
})

t.test('an invalid answer to a command is a transient error or an unknown outcome', async t => {
  for (const answer of ['<html></html>', '', { unexpected: true }]) {
    restWrite().put(/./).reply(200, answer)
    const error: unknown = await openConnection().updateOfferQuantity(change('1', 8)).catch((reason: unknown) => reason)
    t.ok([transient, outcomeUnknown].includes((error as { code: typeof transient }).code))
  }
})
