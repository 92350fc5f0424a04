import t from 'tap'
import { isPaused, refusePaused } from '../../../src/connections/pauses/refuse-paused.ts'
import type { Pause } from '../../../src/connections/pauses/schemas.ts'
import { awaitedPartOf } from '../../../src/jobs/holds/awaited-part.ts'
import { fakeConnection } from '../support.ts'

const pause = (capability: string | null, terms: Partial<Pause> = {}): Pause => ({
  capability,
  reason: null,
  until: null,
  since: '2026-10-03T10:00:00.000Z',
  by: { kind: 'hub', name: 'hub', tokenId: null },
  ...terms
})

function refusalOf (pauses: Pause[], capabilities?: string[]) {
  const connection = fakeConnection({ id: 'connection-1', pauses })
  try {
    refusePaused(connection, capabilities)
    return undefined
  } catch (error) {
    return { message: (error as Error).message, part: awaitedPartOf(error) }
  }
}

t.test('a pause of a capability refuses this capability only', async t => {
  const pauses = [pause('OrderSource', { until: '2026-10-03T12:00:00.000Z', reason: 'maintenance' })]

  t.equal(refusalOf(pauses), undefined)
  t.equal(refusalOf(pauses, ['InventoryMaster']), undefined)
  t.strictSame(refusalOf(pauses, ['InventoryMaster', 'OrderSource']), {
    message:
      "Capability 'OrderSource' of connection 'connection-1' is paused until 2026-10-03T12:00:00.000Z: maintenance",
    part: { groupId: 'connection-1', part: 'OrderSource' }
  })
})

t.test('a pause of the whole connection refuses all', async t => {
  const pauses = [pause(null), pause('OrderSource')]
  const refusal = {
    message: "Connection 'connection-1' is paused until somebody resumes it",
    part: { groupId: 'connection-1', part: '' }
  }

  t.strictSame([refusalOf(pauses), refusalOf(pauses, ['OrderSource'])], [refusal, refusal])
  t.ok(isPaused({ id: 'connection-1', pauses }, 'InventoryMaster'))
  t.notOk(isPaused({ id: 'connection-1', pauses: pauses.slice(1) }, 'InventoryMaster'))
})
