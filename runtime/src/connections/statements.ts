import { isoOf } from '../database/iso-of.ts'
import { prepared } from '../database/prepared.ts'
import { isHeldBecause } from '../jobs/holds/statements.ts'
import { pausesOf } from './pauses/statements.ts'

const selectColumns = `
  select
    id, name, platform_type as "platformType", status, status_reason as "statusReason",
    adapter_key as "adapterKey", adapter_version as "adapterVersion", capabilities
  from connections`

/** All members of a connection, as the entity has them. Times are texts. */
const selectMembers = `
  select
    id, platform_type as "platformType", name, status, status_reason as "statusReason", config, settings,
    credentials_ref as "credentialsRef", adapter_key as "adapterKey", adapter_version as "adapterVersion",
    capabilities, webhook_scheme as "webhookScheme", webhook_events as "webhookEvents",
    webhook_body as "webhookBody", webhook_rules as "webhookRules",
    ${isHeldBecause('connections.id', 'moving')} as "isMoving",
    ${pausesOf('connections.id')} as pauses, secret_members as "secretMembers",
    ${isoOf('installing_until')} as "installingUntil",
    account_id as "accountId", account_name as "accountName", account_shared as "accountShared",
    ${isoOf('orders_since')} as "ordersSince", version,
    ${isoOf('created_at')} as "createdAt", ${isoOf('updated_at')} as "updatedAt"
  from connections`

/** SQL: whether a marketplace goes on selling what the shop switched off. */
export const sellsInactiveSql = (connectionId: string): string =>
  `coalesce(
  (select (settings ->> 'sellsInactive')::boolean from connections where connections.id = ${connectionId}),
  false
)`

export const selectSellingInactive = `
  select id from connections where id = any($1::uuid[]) and (settings ->> 'sellsInactive')::boolean`

export const selectOfIds = prepared(`
  ${selectMembers}
  where id = any($1::uuid[]) and deleted_at is null`)

/** The first `$1` connections in the order in which they were made. */
export const selectOldest = `
  ${selectMembers}
  where deleted_at is null
  order by created_at, id
  limit $1`

export const selectSummaries = `${selectColumns} where deleted_at is null order by created_at, id`

/**
 * SQL: true for the rows of all connections. With it, an index of ids of a platform, which begins
 * with the connection, finds an id on every connection.
 */
export const isOfAny = (connectionId: string): string => `${connectionId} = any(array(select id from connections))`

// Connections are few. `$2` and `$4`: the range of the ids that begin with the text, or null.
export const selectFound = `
  ${selectColumns}
  where deleted_at is null
    and (id between $2::uuid and $4::uuid or starts_with(lower(btrim(name)), lower(btrim($1))))
  order by (id between $2 and $4) desc nulls last, lower(name), id
  limit $3`

export const selectSummariesByCapability = `
  ${selectColumns}
  where capabilities @> $1::jsonb and deleted_at is null
  order by created_at, id`

export const selectActiveWith = `
  select id, adapter_key as "adapterKey", capabilities
  from connections
  where status = 'active' and capabilities ?| $1 and deleted_at is null
  order by id`

export const selectOldestKeys = `
  select distinct on (platform_type) platform_type as "platformType", adapter_key as "adapterKey"
  from connections
  where deleted_at is null
  order by platform_type, created_at, id`

export const selectPins = `
  select adapter_key as "adapterKey", adapter_version as "adapterVersion", count(*)::integer as count
  from connections
  where deleted_at is null
  group by adapter_key, adapter_version`

/**
 * Stores facts of an adapter with all connections of a key and version that keep others. The new
 * version of the row makes processes that know the old facts read it again.
 */
export const updateKept = `
  update connections
  set webhook_scheme = $3, webhook_events = $4::jsonb, webhook_body = $5::jsonb, webhook_rules = $6::jsonb,
    secret_members = $7::jsonb, version = version + 1
  where adapter_key = $1
    and adapter_version is not distinct from $2
    and deleted_at is null
    and (webhook_scheme, webhook_events, webhook_body, webhook_rules, secret_members)
      is distinct from ($3, $4::jsonb, $5::jsonb, $6::jsonb, $7::jsonb)
  returning id`

const storedSecrets = `
  coalesce(
    (
      select jsonb_agg(
        jsonb_build_object(
          'id', secret.id,
          'json', secret.secret_json,
          'encrypted', secret.encrypted,
          'expiresAtMs', floor(extract(epoch from secret.expires_at) * 1000)
        )
        order by secret.position desc
      )
      from webhook_secrets as secret
      where secret.connection_id = connections.id
    ),
    '[]'
  )`

const challengeTokens = `
  (
    select jsonb_object_agg(member #>> '{}', config -> (member #>> '{}'))
    from jsonb_path_query(webhook_rules, '$.challenges[*].token.config') as member
  )`

export const selectForWebhooks = `
  select
    id, platform_type as "platformType", status, version as epoch, adapter_key as "adapterKey",
    adapter_version as "adapterVersion", webhook_scheme as "webhookScheme",
    webhook_events as "webhookEvents", webhook_body as "webhookBody",
    webhook_rules as "webhookRules", config -> 'callbackBaseUrl' as "callbackBaseUrl",
    ${challengeTokens} as "challengeTokens",
    ${storedSecrets} as "webhookSecrets"
  from connections
  where id = any($1::uuid[]) and deleted_at is null`

export const markInstalling = `
  update connections
  set installing_until = clock_timestamp() + interval '1 millisecond' * $2
  where id = $1
    and deleted_at is null
    and (installing_until is null or installing_until <= clock_timestamp())
  returning installing_until::text as mark`

export const clearInstalling = `
  update connections set installing_until = null
  where id = $1 and installing_until = $2::timestamptz`

export const selectCancelsWithShop = `
  select config -> 'cancelOrdersWithShop' = 'true'::jsonb as "isWanted"
  from connections
  where id = $1`

// FOR KEY SHARE is enough: it conflicts with the FOR UPDATE of the deletion.
export const lockPresent = `
  select id
  from connections
  where id = any($1::uuid[]) and deleted_at is null
  order by id
  for key share`

/** The adapters of connections. The lock makes a move or a deletion wait. */
export const lockPins = `
  select id, adapter_key as "adapterKey", adapter_version as "adapterVersion"
  from connections
  where id = any($1::uuid[]) and deleted_at is null
  order by id
  for share`

/**
 * SQL: leaves out rows of `given` whose connection is unknown or deleted, in the order of the
 * connections. The lock makes a deletion wait, so that it removes the rows that are stored.
 */
export const joinPresent = `
  join connections on connections.id = given."connectionId" and connections.deleted_at is null
  order by connections.id
  for key share of connections`

export const selectDeletedOf = 'select id from connections where id = any($1::uuid[]) and deleted_at is not null'

/**
 * SQL: the connection, if it can take over a deleted one: both opened one account, and the deleted
 * one took orders that are too old for it.
 */
const heirOf = (id: string): string => `
  select
  from connections as heir
  where heir.id = ${id}
    and heir.deleted_at is null
    and heir.account_shared is null
    and heir.platform_type = connections.platform_type
    and heir.account_id = connections.account_id
    and heir.orders_since > coalesce(connections.orders_since, '-infinity')`

const deletedConnections = `
  select
    id, name, platform_type as "platformType", adapter_key as "adapterKey",
    ${isoOf('created_at')} as "createdAt", ${isoOf('deleted_at')} as "deletedAt"
  from connections
  where deleted_at is not null`

export const selectDeletedOne = `${deletedConnections} and id = $1`

export const selectDeleted = `
  ${deletedConnections}
    and ($1::timestamptz is null or (created_at, id) > ($1, $2::uuid))
    and ($4::uuid is null or exists (${heirOf('$4')}))
  order by created_at, id
  limit $3`

export const selectPlatformType = 'select platform_type as "platformType" from connections where id = $1'
