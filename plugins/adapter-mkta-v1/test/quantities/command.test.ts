import t from 'tap'
import {
  applyEvent,
  deriveCommandId,
  isOpen,
  newCommand,
  type Command,
  type CommandEvent
} from '../../src/quantities/command.ts'

const queued = newCommand({
  quantity: 8,
  isOfferWrite: true,
  offerIds: ['1'],
  createdAt: '2025-01-02T12:00:00.000Z'
})
const later = new Date('2025-01-02T12:00:05Z')
const accepted = applyEvent(queued, { type: 'accept', operationId: 'op-1' }, later)
const ends: readonly [CommandEvent, Command['status']][] = [
  [{ type: 'finish' }, 'succeeded'],
  [{ type: 'refuse', error: 'no such offer' }, 'rejected'],
  [{ type: 'abandon', error: 'no answer' }, 'failed']
]

t.test('an open command is accepted, any number of times, and ends once', async t => {
  t.match(queued, { status: 'queued', error: null, updatedAt: queued.createdAt })
  t.match(accepted, { status: 'accepted', error: null, updatedAt: later.toISOString() })
  for (const open of [queued, accepted]) {
    t.ok(isOpen(open))
    for (const [event, status] of ends) {
      const ended = applyEvent(open, event, later)
      t.match(ended, { status, error: 'error' in event ? event.error : null })
      t.notOk(isOpen(ended))
      t.throws(() => applyEvent(ended, { type: 'accept' }, later), TypeError)
      t.throws(() => applyEvent(ended, event, later), TypeError)
    }
  }
})

t.test('a command holds the operation of its last write and the job that found its end', async t => {
  t.equal(accepted.operationId, 'op-1')
  t.equal(applyEvent(accepted, { type: 'accept', operationId: 'op-2' }, later).operationId, 'op-2')
  t.equal(applyEvent(accepted, { type: 'accept' }, later).operationId, undefined)
  t.match(applyEvent(accepted, { type: 'finish', endedBy: 'job' }, later), { operationId: 'op-1', endedBy: 'job' })
})

t.test('the same key gives the same id, a UUID', async t => {
  t.equal(deriveCommandId('inventory:example-key'), '0102e087-1ca1-4085-b434-f13ae2f12b2c')
  t.not(deriveCommandId('inventory:example-key2'), deriveCommandId('inventory:example-key'))
  for (let key = 0; key < 100; key++) {
    t.match(deriveCommandId(String(key)), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
})
