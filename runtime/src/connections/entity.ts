import type { WebhookAccepted, WebhookBodyForm, WebhookChallenge, WebhookSource } from '@linker/sdk'
import type { DescribedVerification } from '@linker/sdk/host'
import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import type { AuditActor } from '../audit/schemas.ts'
import { isHeldBecause } from '../jobs/holds/statements.ts'
import type { Pause } from './pauses/schemas.ts'
import { pausesOf } from './pauses/statements.ts'
import type { ConnectionSettings } from './settings/schema.ts'

export type ConnectionStatus = 'active' | 'disabled' | 'error'
export type WebhookScheme = 'hmac' | 'bearer'
export type AccountShared = 'allowed' | 'found'

/** How a platform sends its webhooks, where it does not send them as the hub defines it. */
export interface WebhookRules {
  /** Absent: `webhookScheme` says how deliveries are authenticated. */
  verify?: DescribedVerification
  /** Absent: `webhookBody` says how a body is read. */
  source?: WebhookSource
  /** Absent: the platform does not check the address. */
  challenges?: readonly WebhookChallenge[]
  /** Absent: 202 without a body. */
  accepted?: WebhookAccepted
}

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
    settings: p.json<ConnectionSettings>(),
    credentialsRef: p.text().nullable(),
    adapterKey: p.text(),
    adapterVersion: p.text().nullable(),
    capabilities: p.json<string[]>(),
    /** Kept here so that webhooks are authenticated while the adapter is missing. */
    webhookScheme: p.text().$type<WebhookScheme>(),
    /**
     * Kept here for the same reason: events must start the right jobs while the adapter is missing.
     * Null: the mapping of the specification.
     */
    webhookEvents: p.json<Record<string, string>>().nullable(),
    /**
     * Kept here for the same reason: the hub must still read bodies in the platform's own form.
     * Null: the platform sends no such bodies.
     */
    webhookBody: p.json<WebhookBodyForm>().nullable(),
    /** Kept here for the same reason. Null: the hub's own headers and bodies. */
    webhookRules: p.json<WebhookRules>().strictNullable(),
    /**
     * While a move runs, the jobs of the connection wait for the new adapter version. The clock of
     * the database decides, because all processes share it.
     */
    isMoving: p.boolean().formula((_columns, table) => isHeldBecause(`${table.alias}.id`, 'moving')),
    /** The pauses that stand, by the clock of the database. */
    pauses: p.json<Pause[]>().formula((_columns, table) => pausesOf(`${table.alias}.id`)),
    /**
     * Members of `config` that the API never shows. They are kept here because a missing adapter
     * cannot name them.
     */
    secretMembers: p.json<string[]>(),
    /**
     * Set while a webhook installation runs. It lapses, because the process of the installation may
     * die.
     */
    installingUntil: p.datetime().nullable(),
    /** The account that the connection opens. Null: not known yet, or nobody can name it. */
    accountId: p.text().nullable(),
    /** Null also when the account is that of a person. */
    accountName: p.text().nullable(),
    /**
     * Another connection to the account takes its orders: `allowed` by an operator, or `found` by
     * the hub after the creation.
     */
    accountShared: p.text().$type<AccountShared>().nullable(),
    /** The hub makes no order in the shop that was placed before. Null: it makes all. */
    ordersSince: p.datetime().nullable(),
    version: p.integer().version(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    /** Null: it exists. The row of a deleted connection stays for orders, jobs and the audit. */
    deletedAt: p.datetime().nullable()
  }
})
export type Connection = InferEntity<typeof Connection>

/** The facts of its adapter that a connection keeps. */
export type KeptFacts = Pick<
  Connection,
  'webhookScheme' | 'webhookEvents' | 'webhookBody' | 'webhookRules' | 'secretMembers'
>

/** The state of a connection before a move, for the way back. */
export const ConnectionSnapshot = defineEntity({
  name: 'ConnectionSnapshot',
  tableName: 'connection_snapshots',
  properties: {
    id: p.uuid().primary(),
    connectionId: p.uuid(),
    adapterKey: p.text(),
    adapterVersion: p.text().strictNullable(),
    config: p.json<Record<string, unknown>>(),
    capabilities: p.json<string[]>(),
    cursors: p.json<Record<string, string>>(),
    /**
     * Where the move led. Null: not known, because an older version of the hub made the move. A key
     * without a version means the newest version, as in connections.
     */
    toAdapterKey: p.text().strictNullable(),
    toAdapterVersion: p.text().strictNullable(),
    movedBy: p.json<AuditActor>().strictNullable(),
    createdAt: p.datetime(),
    restoredAt: p.datetime().strictNullable()
  }
})
