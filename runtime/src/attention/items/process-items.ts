import type { WorkerAbsence } from '../../jobs/worker-absence.ts'
import { describeLength } from '../../words.ts'
import type { AttentionItem } from '../schemas.ts'
import { newItem } from './new-item.ts'

/** Makes the item of a hub whose processes all only serve HTTP. */
export function noWorkerItems (absence: WorkerAbsence | undefined, nowMs: number): AttentionItem[] {
  if (absence === undefined) return []
  const { since } = absence
  const claim = since === null
    ? 'No process with the role `worker` or `all` is alive'
    : `No process with the role \`worker\` or \`all\` has been alive for ${describeLength(nowMs - Date.parse(since))}`
  return [newItem({
    kind: 'no-worker',
    severity: 'error',
    since,
    title: 'No process runs jobs',
    detail: `${claim}, so accepted webhooks and all jobs wait, and nothing is written to a platform; look at the log ` +
      'of the worker, or start one with `linker start --role worker`, which goes on where the last one ended.',
    target: '/system'
  })]
}
