import type { Config } from '../../config.ts'
import { describePrimary, readSentinelUrl } from '../../config/sentinel-url.ts'
import { hasEmbeddedDatabase, openEmbeddedAsItIs, openServedAsItIs } from '../../database/as-it-is.ts'
import type { Query } from '../../database/database.ts'
import { holderOf } from '../../database/directory-lock.ts'
import { mostSessions } from '../../database/session.ts'
import { DatabaseUnfitError } from '../../errors.ts'
import type { ServerWarning } from '../../streams/port.ts'
import { createRedisStreams } from '../../streams/redis.ts'
import { failed, messageOf, ok, warning, type Finding } from './finding.ts'

/** The database, open for reading when it can be. */
export interface OpenedDatabase {
  findings: Finding[]
  /** Absent when the database does not answer, does not exist yet, or belongs to a running hub. */
  query?: Query
  /** The process that holds the embedded database. */
  holder?: number
  close(): Promise<void>
}

const check = 'database'
const asDoctor = { name: 'linker-doctor', statementMs: 10_000 }
const oldestVersion = 15
const poolers = 'see docs/poolers.md of @linker/runtime'
const nothing = async (): Promise<void> => undefined

/** Opens the database as it is: nothing is migrated, and no statement may write. */
export async function openToRead ({ databaseUrl, dataDirectory }: Config): Promise<OpenedDatabase> {
  return databaseUrl === undefined ? openEmbedded(dataDirectory) : openServer(databaseUrl)
}

async function openServer (databaseUrl: string): Promise<OpenedDatabase> {
  const { host, pathname } = new URL(databaseUrl)
  try {
    const { query, close, ...found } = await openServedAsItIs(databaseUrl, asDoctor, mostSessions)
    const { isPooled, isReadOnly, unfit, shortage } = found
    const [row] = await query<{ version: string }>("select current_setting('server_version_num') as version")
    const version = Math.floor(Number(row?.version) / 10_000)
    const name = `PostgreSQL ${version} at ${host}${pathname}${isPooled ? ', behind a pooler' : ''}`
    const faults = [
      ...version >= oldestVersion
        ? []
        : [failed(check, `${name}: version ${oldestVersion} or newer is needed`, 'update PostgreSQL')],
      ...unfit === undefined ? [] : [failed(check, messageOf(unfit), poolers)],
      ...isReadOnly
        ? [failed(
          check,
          `${name}: it accepts no writes`,
          'let DATABASE_URL name the primary server; reset default_transaction_read_only of database and role'
        )]
        : [],
      ...shortage === undefined
        ? []
        : [warning(check, messageOf(shortage), 'give its pool more, unless a running hub uses the others')]
    ]
    return { findings: faults.length === 0 ? [ok(check, name)] : faults, query, close }
  } catch (error) {
    return {
      findings: [
        failed(
          check,
          `cannot open ${host}${pathname}: ${messageOf(error)}`,
          error instanceof DatabaseUnfitError
            ? poolers
            : 'correct DATABASE_URL, start the server, create the database'
        )
      ],
      close: nothing
    }
  }
}

async function openEmbedded (dataDirectory: string): Promise<OpenedDatabase> {
  if (!hasEmbeddedDatabase(dataDirectory)) {
    return { findings: [ok(check, `embedded; the first start creates it in ${dataDirectory}`)], close: nothing }
  }
  try {
    const holder = await holderOf(dataDirectory)
    if (holder !== undefined) {
      return {
        findings: [ok(check, `embedded in ${dataDirectory}, in use by process ${holder}`)],
        holder,
        close: nothing
      }
    }
    const { query, close } = await openEmbeddedAsItIs(dataDirectory, asDoctor)
    return { findings: [ok(check, `embedded in ${dataDirectory}`)], query, close }
  } catch (error) {
    return {
      findings: [
        failed(
          check,
          `cannot open the embedded database in ${dataDirectory}: ${messageOf(error)}`,
          'read the message; if the directory is damaged, restore it from a backup'
        )
      ],
      close: nothing
    }
  }
}

/** Redis, when it is configured. */
export async function checkRedis ({ redisUrl }: Config): Promise<Finding[]> {
  if (redisUrl === undefined) return []
  try {
    const streams = await createRedisStreams({ url: redisUrl, log: { warn: () => undefined } })
    try {
      const found = await streams.inspect()
      return found.length === 0 ? [ok('redis', placeOf(redisUrl))] : found.map(describeRedis)
    } finally {
      await streams.close()
    }
  } catch (error) {
    return [failed('redis', messageOf(error), 'correct REDIS_URL, or start the server')]
  }
}

function placeOf (redisUrl: string): string {
  const sentinel = readSentinelUrl(redisUrl)
  return sentinel === undefined ? new URL(redisUrl).host : describePrimary(sentinel)
}

const remedies = {
  version: 'update Redis',
  role: 'let REDIS_URL name the primary, or its Sentinels',
  settings: 'change the configuration of Redis'
} as const satisfies Record<ServerWarning['about'], string>

function describeRedis ({ about, message }: ServerWarning): Finding {
  return (about === 'settings' ? warning : failed)('redis', message, remedies[about])
}
