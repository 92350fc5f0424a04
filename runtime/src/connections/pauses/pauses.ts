import type { AuditAction } from '../../audit/actions.ts'
import { listChanges, type MemberChange } from '../../audit/list-changes.ts'
import { recordChange } from '../../audit/store.ts'
import type { Database, Query, Transaction } from '../../database/database.ts'
import { InvalidRequestError } from '../../errors.ts'
import { refusal } from '../../http/refusal.ts'
import { toStorableTime } from '../../http/storable-time.ts'
import type { Connection } from '../entity.ts'
import { requireConnection } from '../find.ts'
import { lockConnection } from '../store.ts'
import type { Pause, PauseBody, ResumeBody } from './schemas.ts'
import { isAhead, readPauses, removePause, storePause } from './store.ts'

/**
 * Pauses connections and resumes them. Jobs that run go on to their end; no other job calls the
 * platform until the pause is over, and none loses an attempt. The hub goes on accepting events and
 * requests for jobs.
 */
export function createPauses (database: Pick<Database, 'transaction' | 'patiently' | 'notify'>) {
  /** Changes the pauses of a connection in one transaction, which also records the change. */
  async function change (
    id: string,
    action: AuditAction,
    work: (connection: Connection, before: readonly Pause[], query: Query) => Promise<void>
  ): Promise<void> {
    const changed = async ({ em, query }: Transaction): Promise<void> => {
      const connection = requireConnection(id, await lockConnection(em, id))
      // Read after the lock: the row may have waited for another change of the pauses.
      const before = await readPauses(query, id)
      await work(connection, before, query)
      await recordChange(query, {
        action,
        connectionId: id,
        objectId: id,
        objectName: connection.name,
        changes: changesOf(before, await readPauses(query, id))
      })
    }
    // Very many jobs may wait for a pause, and each becomes due at another time.
    await database.patiently(() => database.transaction(changed))
    // Jobs may be due earlier now.
    database.notify('jobs')
  }

  /** Pauses a connection or some of its capabilities; changes the pauses that stand. */
  async function pause (id: string, { capabilities, reason, until }: PauseBody): Promise<void> {
    const terms = { reason: reason ?? null, until: until === undefined ? null : toStorableTime(until) }
    await change(id, 'connection.pause', async (connection, _before, query) => {
      refuseUnknown(capabilities, connection.capabilities)
      if (terms.until !== null && !await isAhead(query, terms.until)) throw pastRefusal(terms.until)
      for (const capability of partsOf(capabilities)) await storePause(query, id, capability, terms)
    })
  }

  /** Ends the pause of a connection, or those of some of its capabilities. */
  async function resume (id: string, { capabilities }: ResumeBody): Promise<void> {
    await change(id, 'connection.resume', async (connection, before, query) => {
      // The connection may have lost a capability that is still paused.
      const paused = before.flatMap(({ capability }) => capability ?? [])
      refuseUnknown(capabilities, [...new Set([...connection.capabilities, ...paused])])
      for (const capability of partsOf(capabilities)) await removePause(query, id, capability)
    })
  }

  return { pause, resume }
}

/**
 * Pauses a connection in the transaction that creates it, so that no job begins before. Returns its
 * pauses.
 */
export async function pauseNew (query: Query, { id, name }: Pick<Connection, 'id' | 'name'>): Promise<Pause[]> {
  await storePause(query, id, null, { reason: null, until: null })
  const pauses = await readPauses(query, id)
  await recordChange(query, {
    action: 'connection.pause',
    connectionId: id,
    objectId: id,
    objectName: name,
    changes: changesOf([], pauses)
  })
  return pauses
}

/**
 * Returns the capabilities of a request, sorted: two requests then lock the same rows in the same
 * order. Null means the whole connection.
 */
function partsOf (capabilities: readonly string[] = []): readonly (string | null)[] {
  return capabilities.length === 0 ? [null] : capabilities.toSorted()
}

function refuseUnknown (wanted: readonly string[] = [], known: readonly string[]): void {
  const problems = wanted.flatMap((name, index) =>
    known.includes(name)
      ? []
      : [{
        pointer: `/capabilities/${index}`,
        code: 'enum',
        message: `'${name}' is not a capability of this connection; it has ${known.join(', ') || 'none'}`
      }]
  )
  if (problems.length > 0) throw refusal(problems, InvalidRequestError)
}

function pastRefusal (end: string): Error {
  return refusal([{ pointer: '/until', code: 'past', message: `${end} is in the past` }], InvalidRequestError)
}

function changesOf (before: readonly Pause[], after: readonly Pause[]): MemberChange[] {
  return listChanges({ pauses: termsOf(before) }, { pauses: termsOf(after) }, () => false)
}

/** The name of a capability begins with a capital letter or that of its vendor. */
function termsOf (pauses: readonly Pause[]): Record<string, unknown> {
  return Object
    .fromEntries(pauses.map(({ capability, reason, until }) => [capability ?? 'connection', { reason, until }]))
}
