// The connection of a row tells a person whose secret it is. Several may share it: name the first,
// so that each secret is counted once.
const connectionOf = `
  case when connections.id is null then null
    else jsonb_build_object('id', connections.id, 'name', connections.name)
  end as connection`

export const selectCredentials = `
  select
    ref as id, integration_credentials.platform_type as "platformType", credentials_json as json, encrypted,
    ${connectionOf}
  from integration_credentials
  left join lateral (
    select id, name
    from connections
    where credentials_ref = 'db:' || ref and deleted_at is null
    order by created_at, id
    limit 1
  ) as connections on true
  where ref > $2 and (not encrypted or credentials_json ->> 'kid' is distinct from $1)
  order by ref
  limit $3`

const credentialsByKey = `
  select distinct on (credentials_json ->> 'kid')
    ref as id, platform_type as "platformType", credentials_json as json, encrypted
  from integration_credentials
  where encrypted`

export const sampleCredentials = `
  (${credentialsByKey} order by credentials_json ->> 'kid', updated_at, ref limit $1)
  union all
  (${credentialsByKey} order by credentials_json ->> 'kid', updated_at desc, ref desc limit $1)`

// The version stays: the credentials are the same.
export const updateCredentials = `
  update integration_credentials set credentials_json = $4::jsonb, encrypted = $5
  where ref = $1 and credentials_json = $2::jsonb and encrypted = $3
  returning ref`

// A flow has its data until a process takes them, and later its answer; never both.
export const selectFlows = `
  select
    state_hash as id, platform_type as "platformType", coalesce(data, answer) as json, encrypted,
    case when data is null then 'answer' else 'data' end as part
  from flows
  where state_hash > $2
    and coalesce(data, answer) is not null
    and (not encrypted or coalesce(data, answer) ->> 'kid' is distinct from $1)
    and expires_at > now()
  order by state_hash
  limit $3`

const flowsByKey = `
  select distinct on (coalesce(data, answer) ->> 'kid')
    state_hash as id, platform_type as "platformType", coalesce(data, answer) as json, encrypted,
    case when data is null then 'answer' else 'data' end as part
  from flows
  where encrypted and coalesce(data, answer) is not null and expires_at > now()`

export const sampleFlows = `
  (${flowsByKey} order by coalesce(data, answer) ->> 'kid', expires_at, state_hash limit $1)
  union all
  (${flowsByKey} order by coalesce(data, answer) ->> 'kid', expires_at desc, state_hash desc limit $1)`

export const updateFlow = `
  update flows set
    data = case when data is null then null else $4::jsonb end,
    answer = case when data is null then $4::jsonb end,
    encrypted = $5
  where state_hash = $1 and coalesce(data, answer) = $2::jsonb and encrypted = $3
  returning state_hash`
