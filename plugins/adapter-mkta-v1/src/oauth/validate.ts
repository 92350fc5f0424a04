import { AdapterErrorCode, isAdapterError } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { resolveEnvironment } from '../config.ts'
import type { Host, Route } from '../route.ts'
import { readIdentity } from './identity.ts'

const Query = Type.Object({
  live: Type.Boolean({ default: false, description: 'Also ask the marketplace which account the token belongs to' })
}, { additionalProperties: false })
type Query = Static<typeof Query>

const Problem = Type.Object({ code: Type.String(), message: Type.String() })
type Problem = Static<typeof Problem>

const Answer = Type.Object({
  valid: Type.Boolean(),
  errors: Type.Array(Problem),
  refreshAvailable: Type.Boolean({
    description:
      'Whether the hub can renew the token. If not, the connection has to be authorised again when the token expires'
  })
}, { examples: [{ valid: true, errors: [], refreshAvailable: true }] })

/**
 * `GET /connections/:connectionId/validate`: the problems that keep a connection from working
 * (specification, sections 4.1 and 7.3).
 */
export const validate: Route = {
  method: 'GET',
  path: '/connections/:connectionId/validate',
  auth: 'read',
  summary: 'What keeps the connection from working',
  schema: { query: Query, response: { 200: Answer } },
  servesUnusable: true,
  async handler (request, host) {
    const { live } = request.query as Query
    const { refreshAvailable, problem } = await findRefresh(host)
    const settingsProblems = problem === undefined ? [] : [problem]
    const known = [...explain(host), ...settingsProblems, ...findEnd(host, refreshAvailable)]
    const errors = live && known.length === 0 ? await tryIt(host) : known
    const isRefused = errors.some(({ code }) => code === AdapterErrorCode.authentication)
    return { body: { valid: errors.length === 0, errors, refreshAvailable: refreshAvailable && !isRefused } }
  }
}

// The texts of the specification, section 7.3.
const texts: ReadonlyMap<string, string> = new Map([
  ['LNK_CREDENTIALS_NOT_FOUND', 'Credentials not found'],
  ['LNK_CREDENTIAL_STORE_NOT_AVAILABLE', 'Credential store not available']
])

function explain ({ problem }: Host): Problem[] {
  return problem === undefined ? [] : [{ code: problem.code, message: texts.get(problem.code) ?? problem.message }]
}

interface Refresh {
  refreshAvailable: boolean
  problem?: Problem
}

/**
 * Returns whether the hub can renew the token. A problem here is one of the settings, which hold
 * the marketplace's hosts and the secrets of its applications.
 */
async function findRefresh ({ connection, platform }: Host): Promise<Refresh> {
  if (connection === undefined) return { refreshAvailable: false }
  const { config, kv } = connection.context
  try {
    const { clients } = resolveEnvironment(config.environment, platform)
    const identity = await readIdentity(kv)
    return { refreshAvailable: identity !== undefined && clients.has(identity.clientId) }
  } catch (error) {
    return { refreshAvailable: false, problem: problemOf(error) }
  }
}

function findEnd ({ connection, clock }: Host, refreshAvailable: boolean): Problem[] {
  if (connection === undefined) return []
  const { credentials: { expiresAt }, config } = connection.context
  const hasEnded = Date.parse(expiresAt) <= clock.now().getTime()
  if (!hasEnded || refreshAvailable) return []
  const clients = `platforms.mkta.${config.environment}.clients`
  const message = `The token expired at ${expiresAt} and cannot be renewed: ` +
    `${clients} has no secret of its application. Re-authorise the connection`
  return [{ code: 'TOKEN_EXPIRED', message }]
}

async function tryIt ({ connection }: Host): Promise<Problem[]> {
  try {
    await connection?.client.test()
    return []
  } catch (error) {
    return [problemOf(error)]
  }
}

/** Rethrows an error that says nothing about the connection. */
function problemOf (error: unknown): Problem {
  if (isAdapterError(error)) return { code: error.code, message: error.message }
  throw error
}
