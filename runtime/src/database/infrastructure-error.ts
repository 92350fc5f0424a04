const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENOENT',
  'ENOSPC',
  'EMFILE',
  'LNK_DATABASE_UNAVAILABLE',
  'LNK_DISK_FULL'
])

// SQLSTATE: lost connection, rolled back by a rival, out of resources, operator's intervention,
// system error, read-only, lock not available.
const sqlState = /^(?:08|40|53|57|58)[0-9A-Z]{3}$|^25006$|^55P03$/

// Replies with which Redis refuses a command that it would accept at another time.
const redisReplies = [
  'LOADING',
  'OOM',
  'READONLY',
  'MISCONF',
  'BUSY',
  'MASTERDOWN',
  'NOREPLICAS',
  'CLUSTERDOWN',
  'TRYAGAIN',
  'NOAUTH',
  'WRONGPASS',
  'NOPERM',
  'UNBLOCKED'
]
const redisReply = new RegExp(`^-?(?:${redisReplies.join('|')})\\b`)

const clientNames = new Set(['MaxRetriesPerRequestError', 'AbortError'])

// The drivers throw these as plain errors without a code.
const clientMessages = [
  'Connection is closed',
  'Command timed out',
  "Stream isn't writeable",
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'Client was closed',
  '\\d+ calls are waiting'
]
const clientMessage = new RegExp(`^(?:${clientMessages.join('|')})`)

/**
 * Whether an error says that a server (Redis, PostgreSQL) did not do its part, so that the same
 * call succeeds later. Every other error is a fault of the data in the call. Follows `cause`,
 * because libraries wrap the errors of drivers.
 */
export function isInfrastructureError (error: unknown): boolean {
  return causesOf(error).some(({ code, name, message }) =>
    networkCodes.has(code) || sqlState.test(code) || clientNames.has(name) || clientMessage.test(message) ||
    redisReply.test(message)
  )
}

export const diskFull = '53100'
const diskIsFull = 'the disk is full'

const refusals: readonly (readonly [sign: RegExp, reason: string])[] = [
  [/^READONLY\b/, 'Redis is a replica'],
  [/^OOM\b/, 'the memory of Redis is full'],
  [/^MISCONF\b/, 'Redis cannot save to its disk'],
  [/^NOREPLICAS\b/, 'Redis has too few replicas (min-replicas-to-write)'],
  [/^25006$/, 'PostgreSQL is read-only: a standby, or default_transaction_read_only is on'],
  [/^(?:53100|ENOSPC|LNK_DISK_FULL)$/, diskIsFull]
]

/** Why a server that answers takes no writes; undefined for any other error. */
export function whyNoWrites (error: unknown): string | undefined {
  const signs = causesOf(error).flatMap(({ code, message }) => [code, message])
  return refusals.find(([sign]) => signs.some(text => sign.test(text)))?.[1]
}

/** Whether an error says that the disk of PostgreSQL, or one of this machine, is full. */
export function isDiskFull (error: unknown): boolean {
  return whyNoWrites(error) === diskIsFull
}

function causesOf (error: unknown): { code: string, name: string, message: string }[] {
  const causes = []
  for (let current = error; current instanceof Error && causes.length < 5; current = current.cause) {
    const code = 'code' in current && typeof current.code === 'string' ? current.code : ''
    causes.push({ code, name: current.name, message: current.message })
  }
  return causes
}
