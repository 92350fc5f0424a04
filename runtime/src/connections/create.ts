import { findConnectionMembers, withInitialValues } from '@linker/sdk/host'
import type { LoadedAdapter } from '../adapters/load.ts'
import type { Registry } from '../adapters/registry.ts'
import { writeValues } from '../adapters/store.ts'
import { recordChange } from '../audit/store.ts'
import type { Credentials } from '../credentials/credentials.ts'
import { repeatOnceOnDuplicate } from '../database/conflict.ts'
import type { Query } from '../database/database.ts'
import { ConnectionDeletedError } from '../errors.ts'
import { findAccountWarnings } from './accounts/account-warnings.ts'
import { standingOf, type Accounts, type KnownAccount } from './accounts/accounts.ts'
import { closeFormerConnection, type FormerConnection } from './accounts/store.ts'
import { requireFormer, type TakeOver } from './accounts/take-over.ts'
import { adapterFor, keptOf } from './adapter-for.ts'
import { toCreationFailure } from './creation-failure.ts'
import { describeChanges } from './describe-changes.ts'
import type { Connection } from './entity.ts'
import type { Changed } from './patch.ts'
import { pauseNew } from './pauses/pauses.ts'
import type { ConnectionBody } from './schemas.ts'
import { findMisfits } from './settings/rules.ts'
import { insertConnection, readConnection } from './store.ts'
import { labelOf, type KeptValues } from './stored-credentials.ts'
import { holdUnlessActive, type UpdateOptions } from './update.ts'
import {
  checkCapabilities,
  checkConfig,
  checkCredentials,
  findAdapterProblems,
  needsNoCredentials,
  refuse
} from './validate.ts'

export interface CreateOptions extends UpdateOptions {
  accounts: Pick<Accounts, 'askBefore'>
  credentials: Credentials
  takeOver: TakeOver
  registry: Registry
  now: () => Date
}

/** The parts of a creation that no request of a person has. */
export interface Kept {
  values?: KeptValues
  credentialsLabel?: string | undefined
  /** An adapter creates the connection, so it must not choose connections to call. */
  isByAdapter?: boolean
}

export function createCreate ({
  database,
  accounts,
  credentials,
  registry,
  takeOver,
  now,
  onChanged
}: CreateOptions) {
  /**
   * Creates a connection under `id`. When another request with the same operation id has created
   * it, or creates it at this moment, returns that connection.
   */
  async function create (
    body: ConnectionBody,
    id: string,
    { values = {}, credentialsLabel, isByAdapter = false }: Kept = {}
  ): Promise<Changed> {
    const adapter = adapterFor(registry, body.platformType, body.adapterKey, body.adapterVersion)
    const config = withInitialValues(adapter.description.config, body.config ?? {})
    const warnings = checkConfig(adapter, config)
    if (isByAdapter) refuse(findConnectionMembers(adapter.description.config, config))
    refuse(await findAdapterProblems(adapter, config))
    const capabilities = checkCapabilities(adapter, body.capabilities)
    const { settings = {} } = body
    refuse(findMisfits(settings, capabilities))
    refuseWrongCredentialMembers(adapter, body)
    const checked = body.credentials === undefined ? undefined : await checkCredentials(adapter, body.credentials)
    const known = checked ?? await readReferenced(body.credentialsRef)
    const { account, credentials: current } = await accounts.askBefore(adapter, config, known)
    // The platform accepts only the renewed credentials from now on.
    const plain = checked === undefined ? undefined : current
    const createdAt = now()
    const connection = await repeatOnceOnDuplicate(() =>
      database.transaction(async transaction => {
        const { em, query } = transaction
        const existing = await readConnection(em, id)
        if (existing !== null) return requireUndeleted(existing)
        const former = await formerOf(query, body, account)
        const created = await insertConnection(em, {
          id,
          platformType: body.platformType,
          name: body.name,
          status: body.status ?? 'active',
          statusReason: null,
          config,
          settings,
          credentialsRef: plain === undefined
            ? await existingRef(query, adapter, body.credentialsRef)
            : credentials.create(em, body.platformType, plain, credentialsLabel ?? labelOf(config)),
          adapterKey: adapter.manifest.adapterKey,
          adapterVersion: adapter.version,
          capabilities,
          ...keptOf(adapter),
          ...await standingOf(query, { id, platformType: body.platformType }, account, {
            createdAt,
            ifHeld: body.allowSameAccount === true && adapter.description.hasAccount ? 'allowed' : 'refused',
            former
          }),
          version: 1,
          createdAt,
          updatedAt: createdAt
        })
        if (former !== undefined) {
          await takeOver(transaction, former, created)
          await closeFormerConnection(query, former.id, account?.id)
        }
        await writeValues(query, id, values)
        await holdUnlessActive(transaction, created)
        await recordChange(query, {
          action: 'connection.create',
          connectionId: id,
          objectId: id,
          objectName: created.name,
          changes: describeChanges(undefined, created)
        })
        return body.paused === true ? Object.assign(created, { pauses: await pauseNew(query, created) }) : created
      })
    ).catch((error: unknown) => {
      throw toCreationFailure(error)
    })
    await onChanged(connection)
    return { connection, warnings: [...warnings, ...await findAccountWarnings(database.query, connection)] }
  }

  async function readReferenced (credentialsRef: string | undefined): Promise<Record<string, unknown> | undefined> {
    return credentialsRef === undefined ? undefined : (await credentials.read(database.query, credentialsRef)).plain
  }

  async function existingRef (
    query: Query,
    adapter: LoadedAdapter,
    credentialsRef: string | undefined
  ): Promise<string | null> {
    if (credentialsRef === undefined) return null
    const { platformType } = await credentials.read(query, credentialsRef)
    if (platformType !== adapter.manifest.platformType) {
      refuse([{ pointer: '/credentialsRef', code: 'platform', message: `belongs to platform '${platformType}'` }])
    }
    return credentialsRef
  }

  return create
}

async function formerOf (
  query: Query,
  { platformType, takeOver }: ConnectionBody,
  account: KnownAccount | undefined
): Promise<FormerConnection | undefined> {
  return takeOver === undefined ? undefined : requireFormer(query, platformType, account?.id, takeOver)
}

/** An adapter may repeat a creation long after the connection was made and deleted again. */
function requireUndeleted (connection: Connection): Connection {
  if (connection.deletedAt instanceof Date) throw new ConnectionDeletedError(connection.name)
  return connection
}

function refuseWrongCredentialMembers (adapter: LoadedAdapter, body: ConnectionBody): void {
  const given = [body.credentials, body.credentialsRef].filter(value => value !== undefined).length
  const wanted = needsNoCredentials(adapter) ? 0 : 1
  if (given === wanted) return
  const message = wanted === 0
    ? `are not used by ${adapter.manifest.adapterKey}`
    : 'is required: exactly one of `credentials` and `credentialsRef`'
  refuse([{ pointer: '/credentials', code: wanted === 0 ? 'unexpected' : 'required', message }])
}
