import { Type, type Static } from '@sinclair/typebox'
import { tokenScopes } from '../http/authentication.ts'
import { Id, Nullable } from '../http/schemas.ts'
import { tokenNamePattern } from '../text-patterns.ts'

const Name = Type.String({
  pattern: tokenNamePattern,
  maxLength: 100,
  description: 'Says who uses the token; the hub names it wherever it says who did something'
})
const ScopeName = Type.Union(tokenScopes.map(scope => Type.Literal(scope)), {
  description: 'read: look at everything but secrets; operate: read, and run, retry and change what the hub does ' +
    'with its connections; admin: operate, and change connections, credentials, adapter versions and tokens'
})
const Time = Type.String({ format: 'date-time' })

export const TokenView = Type.Object({
  id: Id,
  name: Name,
  scope: ScopeName,
  createdAt: Time,
  createdBy: Type.String({ description: "The name of the token that made this one; `(own token)` is the hub's own" }),
  expiresAt: Nullable(Type.String({ format: 'date-time', description: 'Null: no end' })),
  lastUsedAt: Nullable(Type.String({ format: 'date-time', description: 'Null: never. Exact to a minute' }))
}, { $id: 'Token' })
export type TokenView = Static<typeof TokenView>

export const TokenBody = Type.Object({
  name: Name,
  scope: ScopeName,
  expiresAt: Type.Optional(Time)
}, { additionalProperties: false })
export type TokenBody = Static<typeof TokenBody>

export const MadeToken = Type.Intersect([
  Type.Ref(TokenView),
  Type.Object({ token: Type.String({ description: 'Shown once: the hub keeps only its hash' }) })
])

export const TokenQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  kind: Type.Union([Type.Literal('token'), Type.Literal('session')], {
    default: 'token',
    description: 'session: people who are signed in; `DELETE /tokens/{id}` signs one out'
  })
}, { additionalProperties: false })
export type TokenQuery = Static<typeof TokenQuery>

const Secret = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 500, description }))

export const SessionBody = Type.Object({
  token: Secret('A named token, or that of the hub'),
  code: Secret('A sign-in code, which works once')
}, { additionalProperties: false, minProperties: 1, maxProperties: 1, description: 'Either `token` or `code`' })

export const MadeCode = Type.Object({
  code: Type.String({ description: 'Works once. The hub keeps only its hash' }),
  expiresAt: Time,
  path: Type.String({ description: 'The path of the console that signs a person in with this code' })
})

export const SessionView = Type.Object({
  name: Type.String({ description: 'The name of the token; the audit names it' }),
  scope: ScopeName,
  expiresAt: Nullable(Type.String({ format: 'date-time', description: 'Null: a token that has no end' })),
  isSession: Type.Boolean({ description: 'Whether a cookie of a session came with the request' })
}, { $id: 'Session' })
export type SessionView = Static<typeof SessionView>
