import type { RefreshRefusal } from '@linker/sdk/host'
import { defineEntity, p, type InferEntity } from '@mikro-orm/core'

/**
 * Credentials of a connection, in a table of their own (specification, section 2.3).
 * `credentialsJson` is the plain object or, when `encrypted`, its envelope.
 */
export const Credential = defineEntity({
  name: 'Credential',
  tableName: 'integration_credentials',
  properties: {
    ref: p.text().primary(),
    platformType: p.text(),
    credentialsJson: p.json<Record<string, unknown>>(),
    encrypted: p.boolean(),
    version: p.integer().version(),
    /** The last refusal of the platform to renew the token, perhaps of an earlier one. */
    refreshRefusal: p.json<RefreshRefusal>().strictNullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime()
  }
})
export type Credential = InferEntity<typeof Credential>

/**
 * A consent that an operator gives on a platform's own pages. Null `data`: a process works on the
 * answer of the platform.
 */
export const Flow = defineEntity({
  name: 'Flow',
  tableName: 'flows',
  properties: {
    stateHash: p.text().primary(),
    platformType: p.text(),
    /** Sealed like credentials. */
    data: p.json<Record<string, unknown>>().strictNullable(),
    /** Sealed like credentials; null until the flow has ended. */
    answer: p.json<Record<string, unknown>>().strictNullable(),
    encrypted: p.boolean(),
    /** The token of the process that works on it. */
    takenBy: p.uuid().strictNullable(),
    expiresAt: p.datetime()
  }
})

/** The page of the console to which the browser returns from an authorisation. */
export const AuthorisationReturn = defineEntity({
  name: 'AuthorisationReturn',
  tableName: 'authorisation_returns',
  properties: {
    stateHash: p.text().primary(),
    platformType: p.text(),
    page: p.text(),
    /** Null: the authorisation has not ended. */
    location: p.text().strictNullable(),
    /** The hash of the query that ended it. */
    endedBy: p.text().strictNullable(),
    expiresAt: p.datetime()
  }
})
