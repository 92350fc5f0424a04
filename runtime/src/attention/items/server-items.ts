import { neededBytes } from '../../database/free-bytes.ts'
import { deadStreamOf, jobsStream, type DeadMessages } from '../../streams/port.ts'
import { countOf } from '../../words.ts'
import type { AttentionItem } from '../schemas.ts'
import { newItem, shortText } from './new-item.ts'

/** What is known about the disks on which the hub writes. */
export interface Disks {
  /** The disk of the data directory of an embedded hub. */
  own: DiskSpace | undefined
  /** Whether the database has just refused to write, because its disk is full. */
  isFull: boolean
}

export interface DiskSpace {
  directory: string
  freeBytes: number
  totalBytes: number
}

const leastFreeBytes = 1024 ** 3
// A tenth of a large disk is room for long.
const leastFreeShare = 0.1
const amplyFreeBytes = 10 * leastFreeBytes
const freshMs = 86_400_000

/** Makes the item of a disk that fills, or is full. */
export function diskItems ({ own, isFull }: Disks): AttentionItem[] {
  if (own === undefined) return isFull ? [fullDisk('PostgreSQL', 'Make room on the server of PostgreSQL.')] : []
  const { directory, freeBytes, totalBytes } = own
  const room = `Make room, or move the data directory (${directory}) to a larger disk.`
  if (isFull || freeBytes < neededBytes) return [fullDisk('the hub', room)]
  const neededFree = Math.max(leastFreeBytes, Math.min(amplyFreeBytes, totalBytes * leastFreeShare))
  if (freeBytes >= neededFree) return []
  const used = Math.floor((1 - freeBytes / totalBytes) * 100)
  return [newItem({
    kind: 'disk-space',
    severity: 'warning',
    since: null,
    title: `The disk of the hub fills: ${used} % are used, ${describeBytes(freeBytes)} are free`,
    detail: `When it is full, the hub refuses webhooks and does no work. ${room}`,
    target: '/system'
  })]
}

function fullDisk (whose: string, room: string): AttentionItem {
  return newItem({
    kind: 'disk-space',
    severity: 'error',
    since: null,
    title: `The disk of ${whose} is full`,
    detail:
      `The hub refuses webhooks and does no work until there is room; nothing that it accepted is lost. ${room} ` +
      'The hub then goes on by itself.',
    code: 'LNK_DISK_FULL',
    target: '/system'
  })
}

function describeBytes (bytes: number): string {
  return bytes < leastFreeBytes ? `${Math.floor(bytes / 1024 ** 2)} MB` : `${(bytes / 1024 ** 3).toFixed(1)} GB`
}

/** Makes an item of each stream with messages that nobody can handle. */
export function deadMessageItems (dead: readonly DeadMessages[], nowMs: number): AttentionItem[] {
  return dead.map(({ stream, count, lastAt, reason }) => {
    const what = stream === jobsStream ? `${countOf(count, 'message')} for a job` : countOf(count, 'webhook')
    return newItem({
      kind: 'dead-messages',
      severity: nowMs - Date.parse(lastAt) < freshMs ? 'error' : 'warning',
      since: lastAt,
      count,
      of: stream,
      title: `The hub could not read ${what} that it had accepted`,
      detail: `${countOf(count, 'message')} of the stream ${stream} went to ${deadStreamOf(stream)}, the last at ` +
        `${lastAt}: ${shortText(reason)}. The page "Streams" of the documentation (What nobody can handle) says how ` +
        'to read and remove them; correct the cause, then let the sender send again.',
      target: '/system'
    })
  })
}
