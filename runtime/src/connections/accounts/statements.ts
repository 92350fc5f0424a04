import { isoOf } from '../../database/iso-of.ts'

/** The connection that stands for an account: the one that takes its orders. */
export const selectHolder = `
  select id, name
  from connections
  where platform_type = $1
    and account_id = $2
    and id <> $3
    and account_shared is null
    and deleted_at is null`

// Before hubs knew accounts, a deleted connection kept none: it may have opened this one.
export const selectFormer = `
  select
    id, name, account_id as "accountId", account_name as "accountName", ${isoOf('orders_since')} as "ordersSince"
  from connections
  where platform_type = $1
    and (account_id is null or account_id = $2)
    and ($3::uuid is null or id = $3)
    and deleted_at is not null
  order by account_id is null, deleted_at desc
  limit 1`

export const selectIsAlone = `
  select not exists (select from connections where platform_type = $1 and id <> $2) as "isAlone"`

/** The oldest connection that shares the account of a deleted one stands for it from now on. */
export const promoteSharing = `
  update connections
  set account_shared = null, orders_since = coalesce(orders_since, now()), version = version + 1
  where id = (
    select sharing.id
    from connections as sharing
    join connections as deleted on deleted.id = $1
      and deleted.account_shared is null
      and deleted.account_id = sharing.account_id
      and deleted.platform_type = sharing.platform_type
    where sharing.account_shared is not null and sharing.deleted_at is null
    order by sharing.created_at, sharing.id
    limit 1
  )
  returning id`

export const insertKey = 'insert into account_keys (is_only) values (true) on conflict do nothing'

export const selectKey = 'select key from account_keys'

export const moveBeginning = `
  update connections
  set orders_since = least(orders_since, $2::timestamptz), version = version + 1
  where id = $1 and orders_since > $2`
