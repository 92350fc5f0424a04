export const countSnapshots = 'select count(*)::integer as count from connection_snapshots where connection_id = $1'

export const deleteSnapshots = 'delete from connection_snapshots where connection_id = $1'

/** The reference to the credentials that no other connection uses. */
export const selectOwnRef = `
  select credentials_ref as ref
  from connections
  where id = $1
    and credentials_ref is not null
    and not exists (
      select from connections as other
      where other.credentials_ref = connections.credentials_ref and other.id <> connections.id
    )`
