import { isoOf } from '../database/iso-of.ts'

const asView = `
  id, name, scope, ${isoOf('created_at')} as "createdAt", created_by as "createdBy",
  ${isoOf('expires_at')} as "expiresAt", ${isoOf('last_used_at')} as "lastUsedAt"`

export const insertToken = `
  insert into api_tokens (id, name, scope, token_hash, created_at, created_by, expires_at, parent_hash)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  returning ${asView}`

const isValid = (token: string): string =>
  `${token}.revoked_at is null and (${token}.expires_at is null or ${token}.expires_at > $2)`

// A session ends with its token: a named one, or one of the hub's own ($3).
export const selectToken = `
  select
    found.id, parent.id as "parentId", found.parent_hash is not null as "isSession", found.name, found.scope,
    ${isoOf('found.expires_at')} as "expiresAt",
    ${isValid('found')}
      and (found.parent_hash is null or parent.id is not null or found.parent_hash = any($3)) as "isValid",
    found.last_used_at is null or found.last_used_at <= $2::timestamptz - interval '1 minute' as "isUseDue"
  from api_tokens found
  left join api_tokens parent on parent.token_hash = found.parent_hash and ${isValid('parent')}
  where found.token_hash = $1`

export const updateLastUse = `
  update api_tokens set last_used_at = $2
  where id = $1 and (last_used_at is null or last_used_at < $2)`

export const insertCode = `
  insert into sign_in_codes (code_hash, parent_hash, name, scope, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6)`

// Deletes the code first: of two requests with one code, the second finds none. A code is worth
// nothing without its token: a named one, or one of the hub's own ($3).
export const takeCode = `
  with taken as (
    delete from sign_in_codes where code_hash = $1
    returning parent_hash, name, scope, expires_at
  )
  select
    taken.parent_hash as "parentHash", taken.name, taken.scope, parent.id as "tokenId",
    ${isoOf('parent.expires_at')} as "expiresAt"
  from taken
  left join api_tokens parent on parent.token_hash = taken.parent_hash and ${isValid('parent')}
  where taken.expires_at > $2 and (parent.id is not null or taken.parent_hash = any($3))`

export const deleteEndedCodes = 'delete from sign_in_codes where expires_at <= $1'

export const selectTokens = `
  select ${asView}
  from api_tokens
  where revoked_at is null and (created_at, id) > ($1, $2) and (parent_hash is not null) = $4
    and (parent_hash is null or expires_at > $5)
  order by created_at, id
  limit $3`

export const deleteEndedSessions = `
  delete from api_tokens
  where parent_hash is not null and (expires_at <= $1 or revoked_at <= $1)`

// The sessions of a token end with it.
export const revokeToken = `
  with ended as (
    update api_tokens set revoked_at = $2
    where id = $1 and revoked_at is null
    returning id, name, token_hash, parent_hash
  ), sessions as (
    update api_tokens set revoked_at = $2
    from ended
    where api_tokens.parent_hash = ended.token_hash and api_tokens.revoked_at is null
  )
  select id, name, parent_hash is not null as "isSession" from ended`

export const selectEnding = `
  select id, name, ${isoOf('expires_at')} as "expiresAt", ${isoOf('soon_from')} as "soonFrom"
  from (
    select *, expires_at - least(interval '1 millisecond' * $3, (expires_at - created_at) / 4) as soon_from
    from api_tokens
    where revoked_at is null and parent_hash is null and expires_at >= $1
  ) as ending
  where soon_from <= $2
  order by expires_at
  limit $4`

export const deleteSessions = 'delete from api_tokens where parent_hash is not null'
