import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import type { WebhookBodyForm } from '@linker/sdk'

export type ConnectionStatus = 'active' | 'disabled' | 'error'
export type WebhookScheme = 'hmac' | 'bearer'

/**
 * A configured instance of an integration with one external platform (specification, section 2.1).
 */
export const Connection = defineEntity({
  name: 'Connection',
  tableName: 'connections',
  properties: {
    id: p.uuid().primary(),
    platformType: p.text(),
    name: p.text(),
    status: p.text().$type<ConnectionStatus>(),
    statusReason: p.text().nullable(),
    config: p.json<Record<string, unknown>>(),
    credentialsRef: p.text().nullable(),
    adapterKey: p.text(),
    adapterVersion: p.text().nullable(),
    capabilities: p.json<string[]>(),
    /** Kept here so that webhooks are authenticated while the adapter is missing. */
    webhookScheme: p.text().$type<WebhookScheme>(),
    /**
     * Likewise, so that its events start the right jobs. Null: the mapping of the specification.
     */
    webhookEvents: p.json<Record<string, string>>().nullable(),
    /** Likewise, how bodies are read that are in the platform's own form. Null: there are none. */
    webhookBody: p.json<WebhookBodyForm>().nullable(),
    /**
     * Its jobs wait until it has the adapter version that it is being moved to. By the clock of the
     * database, which all processes share.
     */
    isMoving: p.boolean().formula(() => 'coalesce(moving_until > now(), false)'),
    /** Members of `config` that are never shown, so that a missing adapter does not show them. */
    secretMembers: p.json<string[]>(),
    version: p.integer().version(),
    createdAt: p.datetime(),
    updatedAt: p.datetime()
  }
})
export type Connection = InferEntity<typeof Connection>
