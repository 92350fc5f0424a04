import { prepared } from '../database/prepared.ts'

export const selectOfRefs = prepared(`
  select
    ref, platform_type as "platformType", credentials_json as "credentialsJson", encrypted, version,
    refresh_refusal as "refreshRefusal"
  from integration_credentials
  where ref = any($1::text[])`)

export const updateRefusal = 'update integration_credentials set refresh_refusal = $2::jsonb where ref = $1'

export const insertFlow = `
  insert into flows (state_hash, platform_type, data, encrypted, expires_at)
  values ($1, $2, $3::jsonb, $4, now() + interval '1 second' * $5)`

// A second process waits for the lock of the row and then finds no data: only one process takes a
// flow.
export const takeData = `
  with found as (
    select state_hash, data, encrypted
    from flows
    where state_hash = $1 and platform_type = $2 and data is not null and expires_at > now()
    for update
  ),
  taken as (
    update flows
    set data = null, taken_by = $3, expires_at = now() + interval '1 millisecond' * $4
    from found
    where flows.state_hash = found.state_hash
  )
  select data as json, encrypted from found`

export const selectTaken = `
  select answer as json, encrypted
  from flows
  where state_hash = $1 and platform_type = $2 and data is null and expires_at > now()`

export const updateAnswer = `
  update flows
  set answer = $3::jsonb, encrypted = $4, expires_at = now() + interval '5 minutes'
  where state_hash = $1 and taken_by = $2`

export const deleteFlow = 'delete from flows where state_hash = $1 and taken_by = $2'

// Skips locked rows: another process is removing them.
export const deleteExpired = `
  delete from flows
  where state_hash in (
    select state_hash from flows where expires_at <= now() order by expires_at limit $1 for update skip locked
  )
  returning true as removed`

// The row outlives its flow: an expired flow also ends on the page.
export const insertReturn = `
  insert into authorisation_returns (state_hash, platform_type, page, expires_at)
  select $1, $2, $3, coalesce((select expires_at from flows where state_hash = $1), now()) + interval '1 day'`

export const selectReturn = `
  select page, location, ended_by as "endedBy"
  from authorisation_returns
  where state_hash = $1 and platform_type = $2 and expires_at > now()`

// The first failure stays: a second request of the browser would otherwise replace its reason by an
// unknown state. A flow succeeds once, so a success replaces the failure of a request with another
// code. A flow with data goes on, and so has no result.
export const endReturn = `
  update authorisation_returns
  set
    location = case when $5 then $3 else coalesce(location, $3) end,
    ended_by = case when $5 then $4 else coalesce(ended_by, $4) end
  where state_hash = $1
    and platform_type = $2
    and not exists (
      select from flows
      where flows.state_hash = authorisation_returns.state_hash and data is not null and flows.expires_at > now()
    )
  returning case when ended_by = $4 then location end as location`

export const deleteExpiredReturns = `
  delete from authorisation_returns
  where state_hash in (
    select state_hash
    from authorisation_returns
    where expires_at <= now()
    order by expires_at
    limit $1
    for update skip locked
  )
  returning true as removed`

export const selectKeyIds = `
  select credentials_json ->> 'kid' as kid from integration_credentials where encrypted
  union
  select secret_json ->> 'kid' from webhook_secrets where encrypted
  union
  select coalesce(data, answer) ->> 'kid'
  from flows
  where encrypted and coalesce(data, answer) is not null and expires_at > now()
  order by kid`

export const countPlain = `
  select
    (select count(*) from integration_credentials where not encrypted)::integer
    + (select count(*) from webhook_secrets where not encrypted)::integer as count`
