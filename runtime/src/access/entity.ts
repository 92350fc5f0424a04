import { defineEntity, p } from '@mikro-orm/core'
import type { TokenScope } from '../http/authentication.ts'

/**
 * A named token of the API, or the session of a person who signed in with a token. The hub keeps
 * only the hash of either, and keeps the row of a token after its end.
 */
export const ApiToken = defineEntity({
  name: 'ApiToken',
  tableName: 'api_tokens',
  properties: {
    id: p.uuid().primary(),
    /** Unique among the named tokens that are not revoked. A session has the name of its token. */
    name: p.text(),
    scope: p.text().$type<TokenScope>(),
    /** SHA-256 in hex. */
    tokenHash: p.text(),
    /** The hash of the token that a session was begun with. Null: a named token. */
    parentHash: p.text().strictNullable(),
    createdAt: p.datetime(),
    /** The name of the token that made this one, or began this session. */
    createdBy: p.text(),
    /** Null: the token has no end. */
    expiresAt: p.datetime().strictNullable(),
    revokedAt: p.datetime().strictNullable(),
    /** Null: never used. Exact to a minute. */
    lastUsedAt: p.datetime().strictNullable()
  }
})

/**
 * A code that begins one session, which is like one begun with the token that made the code. The
 * row goes when the code is used.
 */
export const SignInCode = defineEntity({
  name: 'SignInCode',
  tableName: 'sign_in_codes',
  properties: {
    /** SHA-256 in hex. */
    codeHash: p.text().primary(),
    /** The hash of the token that made the code. */
    parentHash: p.text(),
    /** Name and scope of that token: the hub's own tokens have no row to read them from. */
    name: p.text(),
    scope: p.text().$type<TokenScope>(),
    createdAt: p.datetime(),
    expiresAt: p.datetime()
  }
})
