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
    createdAt: p.datetime(),
    updatedAt: p.datetime()
  }
})
export type Credential = InferEntity<typeof Credential>
