import { isoOf } from '../../database/iso-of.ts'

/** The connection that stands for an account: the one that takes its orders. */
export const selectHolder = `
  select id, name
  from connections
  where platform_type = $1
    and account_id = $2
    and id <> $3
    and account_shared is null
    and deleted_at is null
  for key share`

// Before hubs knew accounts, a deleted connection kept none: it may have opened this one.
export const selectFormer = `
  select
    id, name, ${isoOf('orders_since')} as "ordersSince", ${isoOf('deleted_at')} as "deletedAt"
  from connections
  where platform_type = $1
    and (account_id is null or account_id = $2)
    and ($3::uuid is null or id = $3)
    and deleted_at is not null
  order by account_id is null, deleted_at desc
  limit 1`

export const selectIsAlone = `
  select not exists (select from connections where platform_type = $1 and id <> $2) as "isAlone"`

/** A connection that exists and whose account nobody has named yet may open any account. */
export const selectHasUnknown = `
  select exists (
    select from connections
    where platform_type = $1 and id <> $2 and account_id is null and deleted_at is null
  ) as "hasUnknown"`

/** An account that was taken over belongs to nobody else, also when the hub never knew it. */
export const closeFormer = `
  update connections set account_id = coalesce(account_id, $2, '')
  where id = $1 and deleted_at is not null`

export const insertKey = 'insert into account_keys (is_only) values (true) on conflict do nothing'

export const selectKey = 'select key from account_keys'

export const moveBeginning = `
  update connections
  set orders_since = least(orders_since, $2::timestamptz), version = version + 1
  where id = $1 and orders_since > $2`
