import { listCursors, removeCursor, storeCursors } from '../../adapters/store.ts'
import { listChanges, type MemberChange } from '../../audit/list-changes.ts'
import { recordChange } from '../../audit/store.ts'
import type { Database, Query } from '../../database/database.ts'
import { CursorNotFoundError } from '../../errors.ts'
import type { Connections } from '../connections.ts'
import { createDrain } from '../drain.ts'
import { requireConnection } from '../find.ts'
import { lockConnection } from '../store.ts'
import type { CursorView } from './schemas.ts'

export interface CursorsOptions {
  database: Database
  connections: Pick<Connections, 'get' | 'redactorsOf'>
}

export interface CursorChange {
  connectionId: string
  key: string
  /** The new value. Undefined: the cursor is removed. */
  value?: string
  /** Whether the connection may lack the cursor until now. */
  mayBeNew?: boolean
  /** How long jobs that run may take to end. */
  waitMs: number
}

const mostNamed = 20

/** Shows and changes how far the hub has read the platforms of its connections. */
export function createCursors ({ database, connections }: CursorsOptions) {
  const drain = createDrain(database)

  /** Returns the function that removes the secrets of a connection from a text. */
  async function redactorOf (connectionId: string): Promise<(text: string) => string> {
    const { id } = await connections.get(connectionId)
    const redact = (await connections.redactorsOf([id]))(id)
    return text => String(redact(text))
  }

  /** Lists the cursors of the hub itself and those of the adapter. */
  async function list (connectionId: string): Promise<CursorView[]> {
    const redact = await redactorOf(connectionId)
    return (await listCursors(database.query, connectionId)).map(({ name, value, updatedAt }) => ({
      cursorKey: redact(name),
      value: redact(value),
      updatedAt
    }))
  }

  /**
   * Sets or removes a cursor while no job of the connection runs: a running job could write its own
   * position afterwards. Refuses a cursor that the connection lacks, because nobody would read one
   * whose key is mistyped.
   */
  async function change ({ connectionId, key, value, mayBeNew = false, waitMs }: CursorChange): Promise<void> {
    const redact = await redactorOf(connectionId)

    async function readPresent (query: Query): Promise<string | undefined> {
      const cursors = await listCursors(query, connectionId)
      const present = cursors.find(({ name }) => name === key)
      if (present !== undefined || mayBeNew) return present?.value
      const names = cursors.slice(0, mostNamed).map(({ name }) => redact(name))
      const error = new CursorNotFoundError(connectionId, key, names.join(', ') || 'none')
      throw value === undefined ? error : Object.assign(error, { errors: [needsCreate] })
    }

    // Refuse a mistyped key before any job has to wait.
    await readPresent(database.query)
    await drain({ connectionId, waitMs }, endHold =>
      database.transaction(async ({ em, query }) => {
        requireConnection(connectionId, await lockConnection(em, connectionId))
        await endHold(query)
        const before = await readPresent(query)
        if (value === undefined) await removeCursor(query, connectionId, key)
        else await storeCursors(query, connectionId, { [key]: value })
        await recordChange(query, {
          action: value === undefined ? 'cursor.reset' : 'cursor.set',
          connectionId,
          objectId: key,
          changes: changesOf(key, before && redact(before), value && redact(value))
        })
      }))
  }

  return { list, change }
}

const needsCreate = {
  pointer: '/create',
  code: 'required',
  message: 'must be true to set a cursor that the connection does not have yet'
}

function changesOf (key: string, before: string | undefined, after: string | undefined): MemberChange[] {
  return listChanges(
    before === undefined ? {} : { [key]: before },
    after === undefined ? {} : { [key]: after },
    () => false
  )
}
