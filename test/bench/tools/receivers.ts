import { randomBytes, randomUUID } from 'node:crypto'
import { openMode, type Mode } from '../../support/modes.ts'
import { makeProject } from '../../support/project.ts'
import { startLimitServer } from './measured-process.ts'
import { openOneJobHub, type OneJobHub } from './one-job-hub.ts'
import { prepareRequests } from './requests.ts'
import type { ServerFigures } from './server-meter.ts'
import { sleeper } from './small-jobs.ts'

/** A server that takes signed webhooks. It makes the requests that are sent to it. */
export interface Receiver {
  url: string
  pid: number
  prepare(count: number): Buffer[]
  /** Reads what PostgreSQL and Redis have used so far. Only the hub has it. */
  readServers?(): Promise<ServerFigures>
}

/** A variant of `limit-server.ts`. */
export type Limit = 'bare' | 'verify' | 'script' | 'insert'

export interface ReceiverOptions {
  mode: Mode
  environment: NodeJS.ProcessEnv
}

const connections = 50
const bodyBytes = 500

export const receiverDescription = `${bodyBytes} bytes, unique event ids, ${connections} connections of the hub`

/** Returns the limit of all parts together: it also stores each event as the mode does. */
export const wholeLimitOf = (mode: Mode): Limit => mode === 'full' ? 'script' : 'insert'

/** Calls `work` with the server that shows a limit. It is stopped afterwards. */
export async function withLimit<Result> (
  limit: Limit,
  { mode, environment }: ReceiverOptions,
  work: (receiver: Receiver) => Promise<Result>
): Promise<Result> {
  const state = await openMode(mode, environment)
  const project = await makeProject({})
  const { DATABASE_URL, REDIS_URL } = state.variables
  const secret = randomBytes(16).toString('hex')
  const connectionIds = Array.from({ length: connections }, () => randomUUID())
  try {
    const store = (limit === 'script' ? REDIS_URL : DATABASE_URL) ?? ''
    const server = await startLimitServer([limit, secret, connectionIds.join(), store, project.directory])
    const host = new URL(server.url).host
    try {
      return await work({
        ...server,
        prepare: count => prepareRequests({ host, connectionIds, secret, count, bodyBytes })
      })
    } finally {
      await server.stop()
    }
  } finally {
    await project.remove()
    await state.close()
  }
}

/** Calls `work` with a hub of one process and with the ids of its connections. */
export async function withHub<Result> (
  { mode, environment, role }: ReceiverOptions & { role: 'http' | 'all' },
  work: (hub: OneJobHub, connectionIds: readonly string[]) => Promise<Result>
): Promise<Result> {
  const hub = await openOneJobHub(mode, environment, sleeper, { roles: [role] })
  try {
    return await work(hub, await hub.connect(connections))
  } finally {
    await hub.close()
  }
}

/** The hub as a receiver. Only events of the default type start a job. */
export function receiverOf (hub: OneJobHub, connectionIds: readonly string[], eventType?: string): Receiver {
  return {
    url: hub.url,
    pid: hub.pids[0] ?? Number.NaN,
    readServers: hub.readServers,
    prepare: count => hub.prepare(connectionIds, count, eventType)
  }
}
