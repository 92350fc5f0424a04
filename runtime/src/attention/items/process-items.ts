import type { WorkerAbsence } from '../../jobs/worker-absence.ts'
import type { MixedStreams, StreamProcess } from '../../streams/mixed-streams.ts'
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

/** Makes the item of a hub of which some processes use Redis and others do not. */
export function mixedStreamsItems (mixed: MixedStreams | undefined): AttentionItem[] {
  if (mixed === undefined) return []
  const { since, inRedis, inTables } = mixed
  return [newItem({
    kind: 'mixed-streams',
    severity: 'error',
    since,
    title: 'Some processes use Redis and others do not',
    detail: `With REDIS_URL: ${nameProcesses(inRedis)}; without: ${nameProcesses(inTables)}. Events that one of them ` +
      'accepts are not read by the others, so accepted webhooks may wait for ever; set the same REDIS_URL for all ' +
      'processes, or for none, and restart them. Events that wait where no process reads any more are handled by a ' +
      'worker that has REDIS_URL (or does not have it) as the process that accepted them.',
    target: '/system'
  })]
}

const mostNamed = 5

function nameProcesses (processes: readonly StreamProcess[]): string {
  const named = processes.slice(0, mostNamed).map(({ role, host, pid }) => `process ${pid} on ${host} (${role})`)
  const more = processes.length - named.length
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '')
}
