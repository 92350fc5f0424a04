/** Keeps the links of a connection that is being deleted, except those of ended offers. */
export const keepLinks = `
  insert into former_links (connection_id, external_id, variant_id, buffer, max_listed)
  select connection_id, external_id, variant_id, buffer, max_listed
  from offers
  where connection_id = $1 and status <> 'ENDED'`

export const takeLinks = `
  delete from former_links
  where connection_id = $1
    and external_id in (select external_id from former_links where connection_id = $1 limit $2)
  returning external_id as "externalId", variant_id as "variantId", buffer, max_listed as "maxListed"`

export const deleteOldLinks = `
  delete from former_links
  where (connection_id, external_id) in (
    select former_links.connection_id, former_links.external_id
    from former_links
    join connections on connections.id = former_links.connection_id
    where connections.deleted_at < now() - $2::integer * interval '1 day'
    limit $1
  )
  returning true as removed`
