// Expired secrets go at the next install; until then their key is needed.
export const selectOutdated = `
  select
    secret.id, connections.platform_type as "platformType", secret.secret_json as json, secret.encrypted,
    jsonb_build_object('id', connections.id, 'name', connections.name) as connection
  from webhook_secrets as secret
  join connections on connections.id = secret.connection_id
  where secret.id::text > $2 and (not secret.encrypted or secret.secret_json ->> 'kid' is distinct from $1)
  order by secret.id::text
  limit $3`

// No delivery is judged by an expired secret, so nobody needs to open it.
const secretsByKey = `
  select distinct on (secret.secret_json ->> 'kid')
    secret.id, connections.platform_type as "platformType", secret.secret_json as json, secret.encrypted
  from webhook_secrets as secret
  join connections on connections.id = secret.connection_id
  where secret.encrypted and (secret.expires_at is null or secret.expires_at > now())`

export const sampleSecrets = `
  (${secretsByKey} order by secret.secret_json ->> 'kid', secret.position limit $1)
  union all
  (${secretsByKey} order by secret.secret_json ->> 'kid', secret.position desc limit $1)`

export const updateSecret = `
  update webhook_secrets set secret_json = $4::jsonb, encrypted = $5
  where id = $1::uuid and secret_json = $2::jsonb and encrypted = $3
  returning id`
