import type { KeyValueStore } from '@linker/sdk'
import t from 'tap'
import { isOvertaken, listChanges, writeChange } from '../../src/quantities/changes.ts'
import { deriveCommandId, type Command } from '../../src/quantities/command.ts'
import { writeCommand } from '../../src/quantities/store.ts'
import { createMarketplace } from '../marketplace.ts'

const { connect } = createMarketplace(t)
const at = (second: number) => new Date(Date.parse('2025-01-02T12:00:00Z') + second * 1_000).toISOString()

async function begin (
  kv: KeyValueStore,
  second: number,
  offerIds: string[],
  members: Partial<Command> = {}
): Promise<string> {
  const commandId = deriveCommandId(String(second))
  const createdAt = at(second)
  for (const offerId of offerIds) await writeChange(kv, { commandId, offerId, quantity: 8, createdAt })
  await writeCommand(kv, commandId, {
    quantity: 8,
    isOfferWrite: false,
    offerIds,
    createdAt,
    status: 'accepted',
    error: null,
    updatedAt: createdAt,
    ...members
  })
  return commandId
}

t.test('changes are listed in pages, newest first, with the result of their command', async t => {
  const { context: { kv } } = connect()
  const first = await begin(kv, 1, ['1'], { status: 'succeeded', updatedAt: at(5) })
  await begin(kv, 2, ['2'])
  await begin(kv, 3, ['3'], { status: 'failed', error: 'no such offer' })

  const newest = await listChanges(kv, { limit: 2 })
  const rest = await listChanges(kv, { limit: 2, cursor: newest.nextCursor ?? '' })

  t.match(newest.changes, [
    { offerId: '3', status: 'failed', error: 'no such offer' },
    { offerId: '2', status: 'accepted', error: null }
  ])
  t.same(rest.changes.map(({ id: _id, ...record }) => record), [{
    commandId: first,
    offerId: '1',
    quantity: 8,
    status: 'succeeded',
    error: null,
    createdAt: at(1),
    updatedAt: at(5)
  }])
  t.notOk(rest.nextCursor)
})

t.test('a change keeps an ending that differs from its command, and a filter finds it', async t => {
  const { context: { kv } } = connect()
  const commandId = await begin(kv, 1, ['1', '2'], { status: 'succeeded' })
  await writeChange(kv, { commandId, offerId: '2', quantity: 8, createdAt: at(1) }, {
    status: 'rejected',
    error: 'Offer is ended',
    updatedAt: at(9)
  })
  for (let second = 2; second < 250; second++) await begin(kv, second, ['x'])

  t.match((await listChanges(kv, { status: 'rejected', limit: 10 })).changes, [{
    offerId: '2',
    status: 'rejected',
    error: 'Offer is ended',
    updatedAt: at(9)
  }])
  t.match((await listChanges(kv, { status: 'succeeded', limit: 10 })).changes, [{ offerId: '1' }])
  t.equal((await listChanges(kv, { status: 'accepted', limit: 500 })).changes.length, 248)
})

t.test('a change whose command is no longer stored has failed, and an invalid record is skipped', async t => {
  const { context: { kv } } = connect()
  await writeChange(kv, { commandId: deriveCommandId('gone'), offerId: '1', quantity: 8, createdAt: at(1) })
  await kv.set('quantity-change/odd', { offerId: 7 })

  t.match(await listChanges(kv, { limit: 10 }), { changes: [{ offerId: '1', status: 'failed', error: /not known/ }] })
})

t.test('a change is overtaken only by a later one of the same offer', async t => {
  const { context: { kv } } = connect()
  const commandId = await begin(kv, 1, ['1'])
  const change = { commandId, offerId: '1', quantity: 8, createdAt: at(1) }
  await begin(kv, 2, ['2'])
  t.equal(await isOvertaken(kv, change), false)

  await begin(kv, 3, ['1'])
  t.equal(await isOvertaken(kv, change), true)
  t.equal(await isOvertaken(kv, { ...change, createdAt: at(3) }), false)
})
