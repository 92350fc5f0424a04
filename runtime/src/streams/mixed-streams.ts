import type { Query } from '../database/database.ts'
import type { Mode } from '../mode-of.ts'

/** A process of the hub that is alive. */
export interface StreamProcess {
  role: string
  /** Null: the process is of an older hub, which does not say it. */
  mode: Mode | null
  host: string
  pid: number
  /** ISO 8601. */
  startedAt: string
}

/** Processes of one hub of which some keep their streams in Redis and others in PostgreSQL. */
export interface MixedStreams {
  /** ISO 8601: since when there are both. */
  since: string
  inRedis: StreamProcess[]
  inTables: StreamProcess[]
}

/** Returns the processes that are alive when they do not all use the same streams. */
export type ReadMixedStreams = (this: void, query: Query) => Promise<MixedStreams | undefined>

/** Returns the processes when they do not all use the same streams. */
export function findMixedStreams (processes: readonly StreamProcess[]): MixedStreams | undefined {
  const inRedis = processes.filter(({ mode }) => mode === 'full')
  const inTables = processes.filter(({ mode }) => mode === 'postgres')
  const [redisSince, tablesSince] = [earliest(inRedis), earliest(inTables)]
  if (redisSince === undefined || tablesSince === undefined) return undefined
  return { since: redisSince > tablesSince ? redisSince : tablesSince, inRedis, inTables }
}

function earliest (processes: readonly StreamProcess[]): string | undefined {
  return processes.map(({ startedAt }) => startedAt).toSorted()[0]
}
