import t from 'tap'
import { deadMessageItems, diskItems } from '../../../src/attention/items/server-items.ts'

const gigabyte = 1024 ** 3
const nowMs = Date.parse('2026-11-26T12:00:00.000Z')

const own = (freeBytes: number, totalBytes = 100 * gigabyte) => ({ directory: '/data', freeBytes, totalBytes })

t.test('a disk with room is no item', async t => {
  t.strictSame(diskItems({ own: own(10 * gigabyte), isFull: false }), [])
  t.strictSame(diskItems({ own: own(gigabyte, 2 * gigabyte), isFull: false }), [])
  t.strictSame(diskItems({ own: own(380 * gigabyte, 4_000 * gigabyte), isFull: false }), [], 'a large disk')
  t.strictSame(diskItems({ own: undefined, isFull: false }), [])
})

t.test('a disk that fills is a warning with the room that is left', async t => {
  t.match(diskItems({ own: own(9.5 * gigabyte), isFull: false }), [{
    kind: 'disk-space',
    severity: 'warning',
    title: 'The disk of the hub fills: 90 % are used, 9.5 GB are free',
    detail: /the data directory \(\/data\)/
  }])
  t.match(diskItems({ own: own(9.5 * gigabyte, 4_000 * gigabyte), isFull: false }), [{ severity: 'warning' }])
  t.match(diskItems({ own: own(gigabyte - 1, 5 * gigabyte), isFull: false }), [{ title: /80 % are used, 1023 MB/ }])
})

t.test('a full disk is an error, and names the server whose disk it is', async t => {
  const full = { severity: 'error', code: 'LNK_DISK_FULL' }
  for (const disks of [{ own: own(1_000), isFull: false }, { own: own(50 * gigabyte), isFull: true }]) {
    t.match(diskItems(disks), [{ ...full, title: 'The disk of the hub is full' }])
  }
  t.match(diskItems({ own: undefined, isFull: true }), [{ ...full, title: 'The disk of PostgreSQL is full' }])
})

t.test('dead messages are an error for a day, and name the stream and the reason of the last', async t => {
  const dead = (stream: string, lastAt: string, count = 1) => ({ stream, count, lastAt, reason: 'malformed: /id' })

  t.match(
    deadMessageItems([
      dead('jobs.sync', '2026-11-26T11:00:00.000Z', 2),
      dead('events.inbound.webhooks', '2026-11-25T11:00:00.000Z')
    ], nowMs),
    [
      {
        key: 'dead-messages:jobs.sync',
        severity: 'error',
        count: 2,
        title: 'The hub could not read 2 messages for a job that it had accepted',
        detail: /jobs\.sync\.dead.*malformed: \/id/
      },
      { severity: 'warning', title: 'The hub could not read 1 webhook that it had accepted' }
    ]
  )
})
