import type { Schemas } from '@linker/client'
import { addressOf } from './addresses.ts'

export type AuditEntry = Schemas['AuditEntry']
type Change = AuditEntry['changes'][number]

const pages: Readonly<Record<string, (id: string) => string>> = {
  connection: addressOf.connection,
  credentials: addressOf.connection,
  delivery: addressOf.delivery,
  job: addressOf.job,
  offer: addressOf.offer,
  order: addressOf.order
}

/** The page of the object that an entry is about. Undefined: it has none. */
export function addressOfEntry ({ action, objectId, connectionId }: Pick<
  AuditEntry,
  'action' | 'objectId' | 'connectionId'
>): string | undefined {
  if (action.startsWith('job.redrive')) return objectId === null ? undefined : addressOf.redrive(objectId)
  if (/^(?:token|session)\./.test(action)) return '/console/access'
  const page = pages[action.split('.', 1)[0] ?? '']
  if (page !== undefined && objectId !== null) return page(objectId)
  return connectionId === null ? undefined : addressOf.connection(connectionId)
}

/** Whether the request of an entry may have led to jobs: signing in and making tokens never do. */
export function mayLeadToJobs ({ action, requestId }: Pick<AuditEntry, 'action' | 'requestId'>): boolean {
  return requestId !== null && !/^(?:token|session|log-level)\./.test(action)
}

/** The name of the object at that time; without one, the beginning of its id. */
export function nameOfObject ({ objectName, objectId }: Pick<AuditEntry, 'objectName' | 'objectId'>): string {
  if (objectName !== null) return objectName
  return objectId === null ? '' : shorten(objectId)
}

function shorten (id: string): string {
  return /^[0-9a-f]{8}-/.test(id) ? id.slice(0, 8) : id
}

export interface ShownChange {
  name: string
  /** Undefined: the member was not there. */
  before: string | undefined
  after: string | undefined
  isSecret: boolean
}

/** A changed member with its values as texts. The hub shows no value of a secret. */
export function shownChange ({ pointer, from, to, isSecret }: Change): ShownChange {
  return {
    name: pointer.replace(/^\//, '').replaceAll('~1', '/').replaceAll('~0', '~'),
    before: from === undefined ? undefined : textOf(from),
    after: to === undefined ? undefined : textOf(to),
    isSecret: isSecret === true
  }
}

function textOf (value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
