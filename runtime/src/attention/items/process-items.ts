import type { OpeningProcess, UnreadableKey } from '../../credentials/rewrap/unreadable-keys.ts'
import type { WorkerAbsence } from '../../jobs/worker-absence.ts'
import type { MixedStreams, StreamProcess } from '../../streams/mixed-streams.ts'
import { describeLength } from '../../words.ts'
import type { AttentionItem } from '../schemas.ts'
import { nameProcesses } from './connection-items.ts'
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
    detail:
      `With REDIS_URL: ${nameStreamProcesses(inRedis)}; without: ${
        nameStreamProcesses(inTables)
      }. Events that one of them ` +
      'accepts are not read by the others, so accepted webhooks may wait for ever; set the same REDIS_URL for all ' +
      'processes, or for none, and restart them. Events that wait where no process reads any more are handled by a ' +
      'worker that has REDIS_URL (or does not have it) as the process that accepted them.',
    target: '/system'
  })]
}

const mostNamed = 5

function nameStreamProcesses (processes: readonly StreamProcess[]): string {
  const named = processes.slice(0, mostNamed).map(({ role, host, pid }) => `process ${pid} on ${host} (${role})`)
  const more = processes.length - named.length
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

const claims: Record<UnreadableKey['problem'], (keyId: string) => string> = {
  missing: keyId => `lacks the key '${keyId}', with which some credentials or webhook secrets are encrypted`,
  wrong: keyId =>
    `holds another key '${keyId}' than the one with which some credentials or webhook secrets are encrypted`
}

/** Makes an item of each key whose secrets a process cannot open. */
export function unreadableKeyItems (processes: readonly OpeningProcess[]): AttentionItem[] {
  const found = processes.flatMap(({ unreadableKeys, ...process }) => unreadableKeys.map(key => ({ ...key, process })))
  const byClaim = Map.groupBy(found, ({ keyId, problem }) => `${problem}:${keyId}`)
  return [...byClaim].map(([of, ofClaim]) => {
    const [{ keyId, problem }] = ofClaim as [typeof found[number]]
    const place = nameProcesses(ofClaim.map(({ process }) => process))
    return newItem({
      kind: 'credentials-unreadable',
      severity: 'error',
      since: null,
      count: ofClaim.length,
      of,
      title: `Credentials with the key '${keyId}' cannot be opened`,
      detail: `LINKER_CREDENTIALS_KEY ${claims[problem](keyId)}, in ` +
        `${place}; their connections do not work there. Put the key of before back into LINKER_CREDENTIALS_KEY ` +
        'of every process and restart it. When that key is lost, enter those credentials again that ' +
        '`linker credentials rewrap --dry-run` names.',
      code: 'LNK_CONFIG_INVALID',
      target: '/system'
    })
  })
}
