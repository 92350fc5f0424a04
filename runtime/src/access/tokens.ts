import fp from 'fastify-plugin'
import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import { listChanges } from '../audit/list-changes.ts'
import { recordChange, type Change } from '../audit/store.ts'
import { cleanRegularly } from '../database/clean-regularly.ts'
import { InvalidRequestError, TokenNotFoundError } from '../errors.ts'
import type { Caller } from '../http/authentication.ts'
import { decodeCursor } from '../http/paging.ts'
import { hashToken } from '../http/token-hash.ts'
import type { TokenBody, TokenQuery, TokenView } from './schemas.ts'
import { endToken, listTokens, readToken, removeEndedSessions, storeLastUse, storeToken } from './store.ts'

declare module 'fastify' {
  interface FastifyInstance {
    tokens: Tokens
  }
}

/** The named tokens of the API, and the sessions that people begin with a token. */
export interface Tokens {
  /** Reads the database for each call, so that a revocation works at once and in every process. */
  find(hash: string, ownHashes: readonly string[]): Promise<Caller | 'ended' | undefined>
  /** Returns the token itself, too, which the hub forgets then. Throws `LNK_TOKEN_NAME_TAKEN`. */
  create(wanted: TokenBody, by: Caller): Promise<TokenView & { token: string }>
  /** Begins a session of 12 hours, or until the token ends. */
  beginSession(token: string, owner: Caller): Promise<{ session: string, expiresAt: Date }>
  list(query: TokenQuery): Promise<TokenView[]>
  /** Throws `LNK_TOKEN_NOT_FOUND` when no token that is not revoked has the id. */
  revoke(id: string): Promise<void>
}

const sessionMs = 12 * 3_600_000
const cleaningIntervalMs = 3_600_000
// Browsers may send an ended session for a while, and the hub still knows it then.
const keptMs = 24 * 3_600_000

export default fp<{ now: () => Date }>(async (app, { now }) => {
  const { query, transaction } = app.database

  app.decorate('tokens', {
    async find (hash, ownHashes) {
      const at = now()
      const found = await readToken(query, hash, at, ownHashes)
      if (found === undefined) return undefined
      const { id, parentId, isSession, isValid, isUseDue, ...caller } = found
      if (!isValid) return 'ended'
      if (isUseDue) await storeLastUse(query, id, at)
      return isSession
        ? { ...caller, tokenId: parentId, sessionId: id }
        : { ...caller, tokenId: id, sessionId: null }
    },
    async create ({ name, scope, expiresAt }, { name: createdBy }) {
      const createdAt = now()
      const end = expiresAt === undefined ? null : new Date(expiresAt)
      if (end !== null && !(end > createdAt)) {
        throw new InvalidRequestError('`expiresAt` is in the past, so nobody could use this token')
      }
      const token = makeToken()
      const stored = await transaction(async inner => {
        const row = await storeToken(inner.query, {
          id: v7(),
          name,
          scope,
          hash: hashToken(token),
          createdAt,
          createdBy,
          expiresAt: end,
          parentHash: null
        })
        await recordChange(inner.query, {
          ...describe('token.create', row),
          changes: listChanges({}, { scope, expiresAt: row.expiresAt }, () => false)
        })
        return row
      })
      return { ...stored, token }
    },
    async beginSession (token, { name, scope, expiresAt: endOfToken }) {
      const session = makeToken()
      const createdAt = now()
      const endMs = createdAt.getTime() + sessionMs
      const expiresAt = new Date(Math.min(endMs, endOfToken === null ? endMs : Date.parse(endOfToken)))
      await transaction(async inner => {
        const row = await storeToken(inner.query, {
          id: v7(),
          name,
          scope,
          hash: hashToken(session),
          createdAt,
          createdBy: name,
          expiresAt,
          parentHash: hashToken(token)
        })
        await recordChange(inner.query, describe('session.begin', row))
      })
      return { session, expiresAt }
    },
    list: ({ cursor, limit, kind }) =>
      listTokens(query, {
        after: cursor === undefined ? undefined : decodeCursor(cursor),
        limit,
        isSession: kind === 'session',
        now: now()
      }),
    async revoke (id) {
      await transaction(async inner => {
        const ended = await endToken(inner.query, id, now())
        if (ended === undefined) throw new TokenNotFoundError(id)
        await recordChange(inner.query, describe(ended.isSession ? 'session.end' : 'token.revoke', ended))
      })
    }
  })

  cleanRegularly(app, {
    clean: () => removeEndedSessions(query, new Date(now().getTime() - keptMs)),
    everyMs: cleaningIntervalMs,
    work: 'removing ended sessions',
    log: app.log
  })
}, { name: 'tokens', dependencies: ['database'] })

/** The prefix lets people and scanners recognise a leaked token. */
function makeToken (): string {
  return `lnk_${randomBytes(32).toString('base64url')}`
}

function describe (
  action: Change['action'],
  { id, name }: Pick<TokenView, 'id' | 'name'>
): Pick<Change, 'action' | 'objectId' | 'objectName'> {
  return { action, objectId: id, objectName: name }
}
