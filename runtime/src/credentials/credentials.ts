import fp from 'fastify-plugin'
import { randomUUID } from 'node:crypto'
import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import type { Config } from '../config.ts'
import { CredentialsNotFoundError, InvalidConfigurationError } from '../errors.ts'
import { Credential } from './entity.ts'
import { createSealing } from './sealing.ts'
import { toStoreFailure } from './store-failure.ts'
import { removeExpiredFlows } from './oauth-flows.ts'

declare module 'fastify' {
  interface FastifyInstance {
    credentials: Credentials
  }
}

/** Prefix of `credentialsRef` for rows of our own table (specification, section 2.1). */
const databasePrefix = 'db:'

export interface Credentials {
  /**
   * Stores a new row in the caller's transaction and returns its `credentialsRef`. The reference
   * contains `label`, letters and digits, after the platform.
   */
  create(em: EntityManager, platformType: string, plain: Record<string, unknown>, label?: string): string
  /**
   * Replaces the row's content in the caller's transaction and returns its `credentialsRef`. Makes
   * a new row, with a new reference, when there is none.
   */
  replace(
    em: EntityManager,
    credentialsRef: string | undefined,
    platformType: string,
    plain: Record<string, unknown>,
    label?: string
  ): Promise<string>
  /** The plain content and its version. Throws `LNK_CREDENTIALS_NOT_FOUND`. */
  read(
    em: EntityManager,
    credentialsRef: string
  ): Promise<{ plain: Record<string, unknown>, version: number, platformType: string }>
}

export function createCredentials (config: Pick<Config, 'credentialsKey'>, now: () => Date): Credentials {
  const sealing = createSealing(config)

  function seal (
    ref: string,
    platformType: string,
    plain: Record<string, unknown>
  ): Pick<Credential, 'credentialsJson' | 'encrypted'> {
    const { json, encrypted } = sealing.seal(plain, contextOf(ref, platformType))
    return { credentialsJson: json, encrypted }
  }

  function open ({ ref, platformType, credentialsJson: json, encrypted }: Credential): Record<string, unknown> {
    return sealing.open({ json, encrypted }, contextOf(ref, platformType))
  }

  async function find (
    em: EntityManager,
    credentialsRef: string,
    lockMode?: LockMode.PESSIMISTIC_WRITE
  ): Promise<Credential | null> {
    if (!credentialsRef.startsWith(databasePrefix)) return null
    const ref = credentialsRef.slice(databasePrefix.length)
    return em.findOne(Credential, { ref }, { lockMode }).catch((error: unknown) => {
      throw toStoreFailure(error)
    })
  }

  function create (em: EntityManager, platformType: string, plain: Record<string, unknown>, label?: string): string {
    const ref = [platformType, ...(label === undefined ? [] : [label]), now().getTime(), randomUUID()].join('_')
    em.persist(em.create(Credential, {
      ref,
      platformType,
      ...seal(ref, platformType, plain),
      version: 1,
      createdAt: now(),
      updatedAt: now()
    }))
    return databasePrefix + ref
  }

  return {
    create,
    async replace (em, credentialsRef, platformType, plain, label) {
      const row = credentialsRef === undefined ? null : await find(em, credentialsRef, LockMode.PESSIMISTIC_WRITE)
      if (row === null) return create(em, platformType, plain, label)
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

const flowCleaningIntervalMs = 30_000

export default fp<{ config: Config, now: () => Date }>(async (app, { config, now }) => {
  if (config.isProduction && config.credentialsKey === undefined && !config.mayStorePlainCredentials) {
    throw new InvalidConfigurationError('NODE_ENV=production needs LINKER_CREDENTIALS_KEY to encrypt stored ' +
      'credentials; set LINKER_CREDENTIALS_ENCRYPTION=off to start without it')
  }
  app.decorate('credentials', createCredentials(config, now))

  const cleaning = setInterval(() => {
    removeExpiredFlows(app.database.query).catch((error: unknown) => {
      app.log.warn({ err: error }, 'removing expired flows failed; trying again later')
    })
  }, flowCleaningIntervalMs)
  cleaning.unref()
  app.addHook('onClose', async () => {
    clearInterval(cleaning)
  })
}, { name: 'credentials', dependencies: ['database'] })
