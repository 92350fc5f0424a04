import fp from 'fastify-plugin'
import { randomUUID } from 'node:crypto'
import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import type { Config } from '../config.ts'
import { CredentialsNotFoundError, InvalidConfigurationError } from '../errors.ts'
import { Credential } from './entity.ts'
import { createKeyring } from './envelope.ts'

declare module 'fastify' {
  interface FastifyInstance { credentials: Credentials }
}

/** Prefix of `credentialsRef` for rows of our own table (specification, section 2.1). */
const databasePrefix = 'db:'

export interface Credentials {
  /** Stores a new row in the caller's transaction and answers its `credentialsRef`. */
  create (em: EntityManager, platformType: string, plain: Record<string, unknown>): string
  /** Replaces the row's content in the caller's transaction and answers its `credentialsRef`: a new one when there is no row, or no longer. */
  replace (em: EntityManager, credentialsRef: string | undefined, platformType: string, plain: Record<string, unknown>): Promise<string>
  /** The plain content and its version. Throws `LNK_CREDENTIALS_NOT_FOUND`. */
  read (em: EntityManager, credentialsRef: string): Promise<{ plain: Record<string, unknown>, version: number, platformType: string }>
}

export function createCredentials (config: Pick<Config, 'credentialsKey'>, now: () => Date): Credentials {
  const keyring = config.credentialsKey === undefined ? undefined : createKeyring(config.credentialsKey)

  function seal (ref: string, platformType: string, plain: Record<string, unknown>): Pick<Credential, 'credentialsJson' | 'encrypted'> {
    if (keyring === undefined) return { credentialsJson: plain, encrypted: false }
    return { credentialsJson: { ...keyring.seal(plain, contextOf(ref, platformType)) }, encrypted: true }
  }

  function open (row: Credential): Record<string, unknown> {
    if (!row.encrypted) return row.credentialsJson
    if (keyring === undefined) throw new InvalidConfigurationError('credentials are encrypted and LINKER_CREDENTIALS_KEY is not set')
    return keyring.open(row.credentialsJson, contextOf(row.ref, row.platformType)) as Record<string, unknown>
  }

  async function find (em: EntityManager, credentialsRef: string, lockMode?: LockMode.PESSIMISTIC_WRITE): Promise<Credential | null> {
    return credentialsRef.startsWith(databasePrefix) ? em.findOne(Credential, { ref: credentialsRef.slice(databasePrefix.length) }, { lockMode }) : null
  }

  function create (em: EntityManager, platformType: string, plain: Record<string, unknown>): string {
    const ref = `${platformType}_${now().getTime()}_${randomUUID()}`
    em.persist(em.create(Credential, { ref, platformType, ...seal(ref, platformType, plain), version: 1, createdAt: now(), updatedAt: now() }))
    return databasePrefix + ref
  }

  return {
    create,
    async replace (em, credentialsRef, platformType, plain) {
      const row = credentialsRef === undefined ? null : await find(em, credentialsRef, LockMode.PESSIMISTIC_WRITE)
      if (row === null) return create(em, platformType, plain)
      em.assign(row, { ...seal(row.ref, row.platformType, plain), updatedAt: now() })
      return databasePrefix + row.ref
    },
    async read (em, credentialsRef) {
      const row = await find(em, credentialsRef)
      if (row === null) throw new CredentialsNotFoundError(credentialsRef)
      return { plain: open(row), version: row.version, platformType: row.platformType }
    }
  }
}

function contextOf (ref: string, platformType: string): string {
  return `integration_credentials/${ref}/${platformType}`
}

export default fp<{ config: Config, now: () => Date }>(async (app, { config, now }) => {
  if (config.isProduction && config.credentialsKey === undefined && !config.mayStorePlainCredentials) {
    throw new InvalidConfigurationError('NODE_ENV=production needs LINKER_CREDENTIALS_KEY to encrypt stored credentials; LINKER_CREDENTIALS_ENCRYPTION=off starts without')
  }
  app.decorate('credentials', createCredentials(config, now))
}, { name: 'credentials', dependencies: ['database'] })
