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

export const updateSecret = `
  update webhook_secrets set secret_json = $4::jsonb, encrypted = $5
  where id = $1::uuid and secret_json = $2::jsonb and encrypted = $3
  returning id`
