import { connect } from 'node:net'

/** The addresses of the two servers; absent when a server does not answer. */
export interface Servers {
  databaseUrl?: string
  redisUrl?: string
  missing: string[]
}

const defaultDatabaseUrl = 'postgresql://postgres@127.0.0.1:5432/postgres'
const defaultRedisUrl = 'redis://127.0.0.1:6379'

/**
 * Looks for PostgreSQL and Redis. `LINKER_TEST_REQUIRE_SERVERS=1` makes a missing one an error, so
 * that no run leaves a part of the matrix out silently.
 */
export async function findServers (environment: NodeJS.ProcessEnv): Promise<Servers> {
  const databaseUrl = environment.LINKER_TEST_DATABASE_URL ?? defaultDatabaseUrl
  const redisUrl = environment.LINKER_TEST_REDIS_URL ?? defaultRedisUrl
  const [hasDatabase, hasRedis] = await Promise.all([answers(databaseUrl, 5432), answers(redisUrl, 6379)])
  const missing = [
    ...(hasDatabase ? [] : [`PostgreSQL at ${new URL(databaseUrl).host}`]),
    ...(hasRedis ? [] : [`Redis at ${new URL(redisUrl).host}`])
  ]
  if (missing.length > 0 && environment.LINKER_TEST_REQUIRE_SERVERS === '1') {
    throw new Error(`LINKER_TEST_REQUIRE_SERVERS=1 is set, but no answer came from ${missing.join(' and ')}`)
  }
  return { ...(hasDatabase ? { databaseUrl } : {}), ...(hasRedis ? { redisUrl } : {}), missing }
}

function answers (url: string, defaultPort: number): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return new Promise(resolve => {
    const socket = connect({ host: hostname, port: port === '' ? defaultPort : Number(port), timeout: 30_000 })
    const end = (result: boolean) => () => {
      socket.destroy()
      resolve(result)
    }
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false))
  })
}
