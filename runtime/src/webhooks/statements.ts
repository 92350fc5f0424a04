/** Keeps the installed secret and the newest others, `$3` in all; removes expired ones, too. */
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

export const updateInstalled = `
  update webhook_secrets set
    installed_at = case when id = $2 then $3::timestamptz else installed_at end,
    expires_at = case when id = $2 then null else least(expires_at, $4::timestamptz) end
  where connection_id = $1`

export const selectInstallStates = `
  select
    connection_id as "connectionId",
    (array_agg(installed_at order by position desc))[1] is not null as "isInstalled",
    (
      array_agg(floor(extract(epoch from created_at) * 1000)::float8 order by position desc)
        filter (where installed_at is not null)
    )[1] as "madeAtMs"
  from webhook_secrets
  where connection_id = any($1::uuid[])
  group by connection_id`
