import type { RefreshRefusal } from '@linker/sdk/host'
import type { EntityManager } from '@mikro-orm/postgresql'
import fp from 'fastify-plugin'
import { randomUUID } from 'node:crypto'
import { asError } from '../as-error.ts'
import type { Config } from '../config.ts'
import { cleanRegularly } from '../database/clean-regularly.ts'
import type { Query } from '../database/database.ts'
import { toStorable } from '../database/storable-json.ts'
import { CredentialsNotFoundError, InvalidConfigurationError } from '../errors.ts'
import type { Credential } from './entity.ts'
import { createSealing } from './sealing.ts'
import { toStoreFailure } from './store-failure.ts'
import {
  insertCredential,
  lockCredential,
  readCredentials,
  removeCredentials,
  removeExpiredFlows,
  removeExpiredReturns,
  setContent,
  storeRefusal,
  type CredentialContent
} from './store.ts'

declare module 'fastify' {
  interface FastifyInstance {
    credentials: Credentials
  }
}

/** Prefix of `credentialsRef` for rows of our own table (specification, section 2.1). */
const databasePrefix = 'db:'
const longestMessage = 1_000

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
  read(query: Query, credentialsRef: string): Promise<StoredCredentials>
  /** Reads several rows at once. Returns the error of a row in its place. */
  readMany(query: Query, credentialsRefs: readonly string[]): Promise<(StoredCredentials | Error)[]>
  /** Keeps the platform's refusal to renew a token. */
  refuseRefresh(query: Query, credentialsRef: string, refusal: RefreshRefusal): Promise<void>
}

export interface StoredCredentials {
  plain: Record<string, unknown>
  version: number
  platformType: string
  refusal: RefreshRefusal | undefined
}

export function createCredentials (config: Pick<Config, 'credentialsKey'>, now: () => Date): Credentials {
  const sealing = createSealing(config)

  function seal (
    ref: string,
    platformType: string,
    plain: Record<string, unknown>
  ): Pick<Credential, 'credentialsJson' | 'encrypted'> {
    const { json, encrypted } = sealing.seal(plain, credentialContext(ref, platformType))
    return { credentialsJson: json, encrypted }
  }

  function open ({ ref, platformType, credentialsJson: json, encrypted }: CredentialContent): Record<string, unknown> {
    return sealing.open({ json, encrypted }, credentialContext(ref, platformType))
  }

  function contentOf (credentialsRef: string, row: CredentialContent | undefined): StoredCredentials {
    if (row === undefined) throw new CredentialsNotFoundError(credentialsRef)
    const { version, platformType, refreshRefusal } = row
    return { plain: open(row), version, platformType, refusal: refreshRefusal ?? undefined }
  }

  function create (em: EntityManager, platformType: string, plain: Record<string, unknown>, label?: string): string {
    const ref = [platformType, ...(label === undefined ? [] : [label]), now().getTime(), randomUUID()].join('_')
    insertCredential(em, {
      ref,
      platformType,
      ...seal(ref, platformType, plain),
      version: 1,
      refreshRefusal: null,
      createdAt: now(),
      updatedAt: now()
    })
    return databasePrefix + ref
  }

  return {
    create,
    async replace (em, credentialsRef, platformType, plain, label) {
      const ref = credentialsRef === undefined ? undefined : refOf(credentialsRef)
      const row = ref === undefined ? null : await lockCredential(em, ref).catch(rethrow)
      if (row === null) return create(em, platformType, plain, label)
      setContent(em, row, { ...seal(row.ref, row.platformType, plain), updatedAt: now() })
      return databasePrefix + row.ref
    },
    async read (query, credentialsRef) {
      const ref = refOf(credentialsRef)
      const [row] = ref === undefined ? [] : await readCredentials(query, [ref]).catch(rethrow)
      return contentOf(credentialsRef, row)
    },
    async readMany (query, credentialsRefs) {
      const rows = await readCredentials(query, credentialsRefs.flatMap(given => refOf(given) ?? [])).catch(rethrow)
      const found = new Map(rows.map(row => [row.ref, row]))
      return credentialsRefs.map(given => {
        try {
          return contentOf(given, found.get(refOf(given) ?? ''))
        } catch (error) {
          return asError(error)
        }
      })
    },
    async refuseRefresh (query, credentialsRef, { input, message }) {
      const ref = refOf(credentialsRef)
      const refusal = { input, message: toStorable(message.slice(0, longestMessage)) }
      if (ref !== undefined) await storeRefusal(query, ref, refusal).catch(rethrow)
    }
  }
}

/** Removes the row that a `credentialsRef` names, if it is a row of our own table. */
export async function removeReferenced (query: Query, credentialsRef: string): Promise<void> {
  const ref = refOf(credentialsRef)
  if (ref !== undefined) await removeCredentials(query, ref)
}

/** The key of a row of our own table; undefined when the reference names no such row. */
function refOf (credentialsRef: string): string | undefined {
  return credentialsRef.startsWith(databasePrefix) ? credentialsRef.slice(databasePrefix.length) : undefined
}

function rethrow (error: unknown): never {
  throw toStoreFailure(error)
}

/** Returns the text to which the envelope of a row of credentials is bound. */
export function credentialContext (ref: string, platformType: string): string {
  return `integration_credentials/${ref}/${platformType}`
}

const flowCleaningIntervalMs = 30_000
const returnCleaningIntervalMs = 3_600_000

export default fp<{ config: Config, now: () => Date }>(async (app, { config, now }) => {
  if (config.isProduction && config.credentialsKey === undefined && !config.mayStorePlainCredentials) {
    throw new InvalidConfigurationError('NODE_ENV=production needs LINKER_CREDENTIALS_KEY to encrypt stored ' +
      'credentials; set LINKER_CREDENTIALS_ENCRYPTION=off to start without it')
  }
  app.decorate('credentials', createCredentials(config, now))

  cleanRegularly(app, {
    clean: () => removeExpiredFlows(app.database.query),
    everyMs: flowCleaningIntervalMs,
    work: 'removing expired flows',
    log: app.log
  })
  cleanRegularly(app, {
    clean: () => removeExpiredReturns(app.database.query),
    everyMs: returnCleaningIntervalMs,
    work: 'removing expired returns of authorisations',
    log: app.log
  })
}, { name: 'credentials', dependencies: ['database'] })
