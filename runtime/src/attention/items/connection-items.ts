import type { Pause } from '../../connections/pauses/schemas.ts'
import { argumentOf, countOf, describeLength, endSentence } from '../../words.ts'
import type { AttentionItem } from '../schemas.ts'
import { newItem, shortText, type Named } from './new-item.ts'

/** The processes of the hub in which the adapter of a connection does not serve. */
export interface AdapterAway {
  /** Why it does not, in the first of the processes; null when nobody looked it up. */
  problem: string | null
  processes: readonly { host: string, pid: number }[]
  /** Whether all processes lack it. */
  isEverywhere: boolean
}

/** The state of a connection, as far as attention needs it. Texts hold no secrets. */
export interface ConnectionFact {
  id: string
  name: string
  status: 'active' | 'disabled' | 'error'
  statusReason: string | null
  /** When it got its status `error`, ISO 8601. */
  errorSince: string | null
  /** Null when its adapter serves in all processes. */
  adapterAway: AdapterAway | null
  /** The connection to the same account that takes its orders, if the hub found that by itself. */
  ordersTakenBy: Named | null
  pauses: readonly Pause[]
  /** The names of the schedules that an operator switched off. */
  schedulesOff: readonly string[]
}

const longPauseMs = 86_400_000

/** Finds what stands in the way of connections. A disabled connection is left alone. */
export function connectionItems (connections: readonly ConnectionFact[], nowMs: number): AttentionItem[] {
  return connections.filter(({ status }) => status !== 'disabled').flatMap(connection => [
    ...inError(connection),
    ...withoutAdapter(connection),
    ...withoutOrders(connection),
    ...paused(connection, nowMs),
    ...withoutSchedules(connection)
  ])
}

function inError (connection: ConnectionFact): AttentionItem[] {
  const { status, statusReason, errorSince, id, name } = connection
  if (status !== 'error') return []
  const reason = statusReason === null ? 'the platform refused its credentials' : shortText(statusReason)
  return [newItem({
    kind: 'connection-error',
    severity: 'error',
    since: errorSince,
    connection,
    title: `'${name}' is in error`,
    detail: `${endSentence(`The jobs of '${name}' wait: ${reason}`)} Correct the credentials with ` +
      `\`linker connections credentials ${argumentOf(connection)}\`, or authorise the account again. ` +
      `If the platform made a mistake, \`linker connections test ${argumentOf(connection)}\` ends the error.`,
    target: `/connections/${id}/diagnostics`
  })]
}

function withoutAdapter (connection: ConnectionFact): AttentionItem[] {
  const { adapterAway, id, name } = connection
  if (adapterAway === null) return []
  const { problem, processes, isEverywhere } = adapterAway
  return [newItem({
    kind: 'adapter-away',
    severity: 'error',
    since: null,
    count: processes.length,
    connection,
    title: `The adapter of '${name}' does not serve`,
    detail: `${endSentence(problem === null ? 'The adapter does not serve' : shortText(problem))} ${
      isEverywhere
        ? `The jobs of '${name}' wait for it`
        : `Jobs of '${name}' wait that begin in ${nameProcesses(processes)}`
    }; install that version and restart the hub, or move the connection.`,
    target: `/connections/${id}/diagnostics`
  })]
}

function withoutOrders (connection: ConnectionFact): AttentionItem[] {
  const { ordersTakenBy: other, id, name } = connection
  if (other === null) return []
  const title = `'${name}' opens the same account as '${other.name}'`
  const [own, others] = [connection, other].map(one => `\`linker connections delete ${argumentOf(one)}\``)
  return [newItem({
    kind: 'account-shared',
    severity: 'warning',
    since: null,
    connection,
    title,
    detail: `${title}: the hub takes the orders from '${other.name}' only, because two connections would make each ` +
      `order twice. Delete the one that you do not need, with ${own} or ${others}; when '${other.name}' is deleted, ` +
      `'${name}' takes the orders.`,
    target: `/connections/${id}`
  })]
}

const mostNamed = 3

/** Names a few processes. */
export function nameProcesses (processes: AdapterAway['processes']): string {
  const named = processes.slice(0, mostNamed).map(({ host, pid }) => `process ${pid} on ${host}`)
  const left = processes.length - named.length
  return `${named.join(', ')}${left > 0 ? ` and ${left} more` : ''}`
}

function paused (connection: ConnectionFact, nowMs: number): AttentionItem[] {
  const endless = connection.pauses.filter(({ until }) => until === null)
  const [first] = endless.toSorted((a, b) => a.since < b.since ? -1 : 1)
  if (first === undefined) return []
  const { id, name } = connection
  const ageMs = nowMs - Date.parse(first.since)
  const what = endless.some(({ capability }) => capability === null)
    ? `'${name}'`
    : `${endless.map(({ capability }) => capability).join(', ')} of '${name}'`
  return [newItem({
    kind: 'pause-open',
    severity: ageMs < longPauseMs ? 'info' : 'warning',
    since: first.since,
    count: endless.length,
    connection,
    title: `'${name}' is paused without an end`,
    detail: `${first.by.name} paused ${what} ${describeLength(ageMs)} ago, and no time ends the pause; ` +
      `\`linker connections resume ${argumentOf(connection)}\` ends it.`,
    target: `/connections/${id}`
  })]
}

function withoutSchedules (connection: ConnectionFact): AttentionItem[] {
  const { schedulesOff: names, id, name } = connection
  if (names.length === 0) return []
  return [newItem({
    kind: 'schedules-off',
    severity: 'info',
    since: null,
    count: names.length,
    connection,
    title: `${countOf(names.length, 'schedule')} of '${name}' ${names.length === 1 ? 'is' : 'are'} off`,
    detail: `An operator switched off ${names.join(', ')} of '${name}', so the hub learns of changes only by ` +
      `webhooks; PATCH /connections/${id}/schedules/{name} switches a schedule on.`,
    target: `/schedules?connectionId=${id}`
  })]
}
