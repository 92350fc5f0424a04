import { escapeUnprintable } from '@linker/sdk/host/text'
import type { AwaitedJob } from '../orders/schemas.ts'

/** Says in one line which job a ready order waits for, and why that job does not run. */
export function describeAwaited ({ jobId, jobType, status, detail, until }: AwaitedJob): string {
  const end = until === undefined ? '' : `, until ${until}`
  return escapeUnprintable(`waits for job ${jobId} (${jobType}), which is ${status}: ${detail}${end}`)
}
