import { isoOf } from '../database/iso-of.ts'

/**
 * Removes the expired secrets of a connection, and all but `$3` of the others. Keeps the secret
 * that the platform has installed, and then the newest ones.
 */
export const deleteSurplus = `
  delete from webhook_secrets
  where connection_id = $1
    and (
      expires_at <= $2
      or id not in (
        select id
        from webhook_secrets
        where connection_id = $1 and (expires_at is null or expires_at > $2)
        order by (installed_at is not null and expires_at is null) desc, position desc
        limit $3
      )
    )`

export const insertSecret = `
  insert into webhook_secrets (id, connection_id, secret_json, encrypted, created_at)
  values ($1, $2, $3::jsonb, $4, $5)`

/**
 * Marks secret `$2` as installed at `$3`, without an end. The other secrets of the connection
 * expire at `$4`, or at their own end if that is earlier.
 */
export const updateInstalled = `
  update webhook_secrets set
    installed_at = case when id = $2 then $3::timestamptz else installed_at end,
    expires_at = case when id = $2 then null else least(expires_at, $4::timestamptz) end
  where connection_id = $1`

/** The secret of connection `$1` that its platform took last, if it is valid at `$2`. */
export const selectInstalledSecret = `
  select id, secret_json as json, encrypted
  from webhook_secrets
  where connection_id = $1 and installed_at is not null and (expires_at is null or expires_at > $2)
  order by position desc
  limit 1`

/** Stores how a later test event ended that was signed with secret `$1`. */
export const updatePing = 'update webhook_secrets set pinged_at = $2, ping_problem = $3 where id = $1'

/** Stores how the install of secret `$1` ended: the hub's test event, and the adapter's warning. */
export const updateOutcome = `
  update webhook_secrets
  set pinged_at = $2, ping_problem = $3, install_warning = $4, warned_at = $5
  where id = $1`

const ofNewestInstalled = (column: string): string =>
  `(array_agg(${column} order by position desc) filter (where installed_at is not null))[1]`

/**
 * Reads one row for each connection with a secret. `isInstalled` says whether the newest secret was
 * installed. The other members are those of the newest installed secret, or null: `madeAtMs`, when
 * it was made, and how its install ended.
 */
export const selectInstallStates = `
  select
    connection_id as "connectionId",
    (array_agg(installed_at order by position desc))[1] is not null as "isInstalled",
    ${ofNewestInstalled('floor(extract(epoch from created_at) * 1000)::float8')} as "madeAtMs",
    ${isoOf(ofNewestInstalled('pinged_at'))} as "pingedAt",
    ${ofNewestInstalled('ping_problem')} as "pingProblem",
    ${ofNewestInstalled('install_warning')} as "installWarning",
    ${isoOf(ofNewestInstalled('warned_at'))} as "warnedAt"
  from webhook_secrets
  where connection_id = any($1::uuid[])
  group by connection_id`

/** The connections of `$1` whose last install ended with a problem or a warning. */
export const selectDoubtfulInstalls = `
  select "connectionId", "pingedAt", "pingProblem", "installWarning", "warnedAt"
  from (${selectInstallStates}) as state
  where ("pingProblem" is not null or "installWarning" is not null) and "isInstalled"`

export const selectValidSecrets = `
  select
    id, connection_id as "connectionId", ${isoOf('created_at')} as "createdAt",
    ${isoOf('installed_at')} as "installedAt", ${isoOf('expires_at')} as "expiresAt"
  from webhook_secrets
  where expires_at is null or expires_at > $1
  order by position`

export const countSecrets = 'select count(*)::integer as count from webhook_secrets where connection_id = $1'

export const deleteSecrets = 'delete from webhook_secrets where connection_id = $1'
