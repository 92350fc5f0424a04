import type { EndingToken } from '../../access/store.ts'
import { argumentOf, describeLength, shellWord } from '../../words.ts'
import type { AttentionItem } from '../schemas.ts'
import { newItem, type Named } from './new-item.ts'

const dayMs = 86_400_000
/**
 * Attention shows credentials and tokens that end within this time. It shows a token only in the
 * last quarter of its life.
 */
export const soonMs = 7 * dayMs
/** A token that ended is shown for so long, unless somebody revokes it. */
export const endedMs = 7 * dayMs

/** Makes items of the named tokens that end soon, or ended lately. */
export function endingTokenItems (tokens: readonly EndingToken[], nowMs: number): AttentionItem[] {
  return tokens.map(({ id, name, expiresAt, soonFrom }) =>
    newItem({
      kind: 'ending-token',
      severity: 'warning',
      since: soonFrom,
      of: id,
      title: `The token '${name}' ${ends(expiresAt, nowMs)}`,
      detail: `Whoever uses the token '${name}' is refused from ${expiresAt} on; make another one with \`linker ` +
        `tokens create\`, then end this one with \`linker tokens revoke ${shellWord(name)}\`.`,
      target: '/tokens'
    })
  )
}

/** Credentials of a connection that end and cannot be renewed. */
export interface EndingCredentials {
  connection: Named
  expiresAt: string
}

export function endingCredentialsItems (credentials: readonly EndingCredentials[], nowMs: number): AttentionItem[] {
  return credentials.filter(({ expiresAt }) => Date.parse(expiresAt) - nowMs < soonMs)
    .map(({ connection, expiresAt }) =>
      newItem({
        kind: 'ending-credentials',
        severity: Date.parse(expiresAt) - nowMs < dayMs ? 'error' : 'warning',
        since: new Date(Date.parse(expiresAt) - soonMs).toISOString(),
        connection,
        title: `The credentials of '${connection.name}' ${ends(expiresAt, nowMs)}`,
        detail: `The platform takes the credentials of '${connection.name}' until ${expiresAt}, and the hub cannot ` +
          `renew them; authorise the account again with \`linker connections authorise ${argumentOf(connection)}\`.`,
        target: `/connections/${connection.id}`
      })
    )
}

/**
 * Returns when credentials end, if nothing renews them: `expiresAt` without `refreshToken`, the
 * members that the OAuth client of the SDK uses.
 */
export function endOfCredentials (plain: Readonly<Record<string, unknown>>): string | undefined {
  const { expiresAt, refreshToken } = plain
  if (typeof refreshToken === 'string' && refreshToken !== '') return undefined
  const ms = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

function ends (expiresAt: string, nowMs: number): string {
  const leftMs = Date.parse(expiresAt) - nowMs
  return leftMs > 0 ? `ends in ${describeLength(leftMs)}` : `ended ${describeLength(-leftMs)} ago`
}
