import fp from 'fastify-plugin'
import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import { listChanges } from '../audit/list-changes.ts'
import { recordChange, type Change } from '../audit/store.ts'
import { cleanRegularly } from '../database/clean-regularly.ts'
import type { Query } from '../database/database.ts'
import { InvalidRequestError, TokenNotFoundError } from '../errors.ts'
import type { Caller } from '../http/authentication.ts'
import { decodeCursor } from '../http/paging.ts'
import { hashToken } from '../http/token-hash.ts'
import type { TokenBody, TokenQuery, TokenView } from './schemas.ts'
import {
  endToken,
  listTokens,
  readToken,
  removeEndedCodes,
  removeEndedSessions,
  storeCode,
  storeLastUse,
  storeToken,
  useCode
} from './store.ts'

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
  beginSession(token: string, owner: Caller): Promise<BegunSession>
  /** Makes a code that begins one such session, for 10 minutes or until the token ends. */
  createCode(token: string, owner: Caller): Promise<{ code: string, expiresAt: Date }>
  /**
   * Begins the session of a code, which works once. Returns undefined when the code is unknown or
   * used, or when the code or its token has ended. Calls `accept` with the caller before the audit
   * asks who acts.
   */
  beginSessionByCode(
    code: string,
    ownHashes: readonly string[],
    accept: (caller: Caller) => void
  ): Promise<BegunSession | undefined>
  list(query: TokenQuery): Promise<TokenView[]>
  /** Throws `LNK_TOKEN_NOT_FOUND` when no token that is not revoked has the id. */
  revoke(id: string): Promise<void>
}

export interface BegunSession {
  session: string
  expiresAt: Date
}

const sessionMs = 12 * 3_600_000
const codeMs = 10 * 60_000
const cleaningIntervalMs = 3_600_000
// Browsers may send an ended session for a while, and the hub still knows it then.
const keptMs = 24 * 3_600_000

export default fp<{ now: () => Date }>(async (app, { now }) => {
  const { query, transaction } = app.database

  async function storeSession (inner: Query, parentHash: string, caller: Caller): Promise<BegunSession> {
    const { name, scope } = caller
    const session = makeToken()
    const createdAt = now()
    const expiresAt = endOf(createdAt, sessionMs, caller)
    const row = await storeToken(inner, {
      id: v7(),
      name,
      scope,
      hash: hashToken(session),
      createdAt,
      createdBy: name,
      expiresAt,
      parentHash
    })
    await recordChange(inner, describe('session.begin', row))
    return { session, expiresAt }
  }

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
    beginSession: (token, caller) => transaction(inner => storeSession(inner.query, hashToken(token), caller)),
    async createCode (token, caller) {
      const { name, scope } = caller
      const code = makeSecret()
      const createdAt = now()
      const expiresAt = endOf(createdAt, codeMs, caller)
      await storeCode(query, {
        hash: hashToken(code),
        parentHash: hashToken(token),
        name,
        scope,
        createdAt,
        expiresAt
      })
      return { code, expiresAt }
    },
    // One transaction, so that a failure leaves the code as it was.
    beginSessionByCode: (code, ownHashes, accept) =>
      transaction(async inner => {
        const taken = await useCode(inner.query, hashToken(code), now(), ownHashes)
        if (taken === undefined) return undefined
        const { parentHash, ...token } = taken
        const caller = { ...token, sessionId: null }
        accept(caller)
        return storeSession(inner.query, parentHash, caller)
      }),
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
    async clean () {
      await removeEndedSessions(query, new Date(now().getTime() - keptMs))
      await removeEndedCodes(query, now())
    },
    everyMs: cleaningIntervalMs,
    work: 'removing ended sessions and sign-in codes',
    log: app.log
  })
}, { name: 'tokens', dependencies: ['database'] })

function makeSecret (): string {
  return randomBytes(32).toString('base64url')
}

/** The prefix lets people and scanners recognise a leaked token. */
function makeToken (): string {
  return `lnk_${makeSecret()}`
}

/** The end of what a token begins: after some time, or with the token. */
function endOf (from: Date, longestMs: number, { expiresAt }: Caller): Date {
  const endMs = from.getTime() + longestMs
  return new Date(expiresAt === null ? endMs : Math.min(endMs, Date.parse(expiresAt)))
}

function describe (
  action: Change['action'],
  { id, name }: Pick<TokenView, 'id' | 'name'>
): Pick<Change, 'action' | 'objectId' | 'objectName'> {
  return { action, objectId: id, objectName: name }
}
