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
  'LNK_DATABASE_UNAVAILABLE'
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
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth++) {
    const code = 'code' in current ? current.code : undefined
    if (typeof code === 'string' && (networkCodes.has(code) || sqlState.test(code))) return true
    if (clientNames.has(current.name) || clientMessage.test(current.message)) return true
    if (redisReply.test(current.message)) return true
  }
  return false
}
