import { listChanges, type MemberChange } from '../audit/list-changes.ts'
import type { Connection } from './entity.ts'

const audited = [
  'name',
  'status',
  'statusReason',
  'adapterKey',
  'adapterVersion',
  'capabilities',
  'settings',
  'credentialsRef',
  'accountName'
] as const

/** The part of a connection that the audit compares. */
export type ConnectionState = Pick<Connection, typeof audited[number] | 'config' | 'secretMembers'>

/** Copies the state, because a change works on the connection itself. */
export function stateOf (connection: Connection): ConnectionState {
  const { config, secretMembers } = connection
  return structuredClone({ ...visibleOf(connection), config, secretMembers })
}

/**
 * Lists what differs between two states. Without a former state the connection is new, and without
 * a later one it is deleted.
 */
export function describeChanges (
  before: ConnectionState | undefined,
  after: ConnectionState | undefined
): MemberChange[] {
  const secret = new Set([...before?.secretMembers ?? [], ...after?.secretMembers ?? []])
  const ofConfig = listChanges(before?.config ?? {}, after?.config ?? {}, name => secret.has(name))
  return [
    ...listChanges(
      before === undefined ? {} : visibleOf(before),
      after === undefined ? {} : visibleOf(after),
      () => false
    ),
    ...ofConfig.map(change => ({ ...change, pointer: `/config${change.pointer}` }))
  ]
}

function visibleOf (state: ConnectionState) {
  return Object.fromEntries(audited.map(name => [name, state[name] ?? undefined])) as Pick<
    ConnectionState,
    typeof audited[number]
  >
}
