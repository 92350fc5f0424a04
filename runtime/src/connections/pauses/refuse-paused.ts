import { CapabilityPausedError, ConnectionPausedError } from '../../errors.ts'
import { noteAwaited } from '../../jobs/holds/awaited-part.ts'
import type { Connection } from '../entity.ts'
import type { Pause } from './schemas.ts'

type Pausable = Pick<Connection, 'id' | 'pauses'>

/**
 * Call it before the platform of a connection is called. Throws when the whole connection is
 * paused, or one of these capabilities. A job that fails with this error waits for the end of the
 * pause.
 */
export function refusePaused (connection: Pausable, capabilities: readonly string[] = []): void {
  const { id: groupId } = connection
  const pause = findPause(connection, capabilities)
  if (pause === undefined) return
  throw noteAwaited(pausedError(groupId, pause), { groupId, part: pause.capability ?? '' })
}

/** The error of a call that a pause of this connection stops. */
export function pausedError (connectionId: string, pause: Pick<Pause, 'capability' | 'until' | 'reason'>): Error {
  const { capability } = pause
  const end = describeEnd(pause)
  return capability === null
    ? new ConnectionPausedError(connectionId, end)
    : new CapabilityPausedError(capability, connectionId, end)
}

/** Whether a capability of a connection must not be used now. */
export function isPaused (connection: Pausable, capability: string): boolean {
  return findPause(connection, [capability]) !== undefined
}

function findPause ({ pauses }: Pausable, capabilities: readonly string[]): Pause | undefined {
  return pauses.find(({ capability }) => capability === null || capabilities.includes(capability))
}

function describeEnd ({ until, reason }: Pick<Pause, 'until' | 'reason'>): string {
  return `${until === null ? 'until somebody resumes it' : `until ${until}`}${reason === null ? '' : `: ${reason}`}`
}
