import { isOfAny } from '../connections/statements.ts'
import { isoOf } from '../database/iso-of.ts'
import { endedAtOf, heldUpSql, reservingSql } from './status.ts'

const orderColumns = `
  orders.id, orders.connection_id as "connectionId", orders.external_id as "externalId", orders.status,
  orders.source_status as "sourceStatus", orders.upstream_status as "upstreamStatus",
  orders.revision, orders.snapshot, orders.read_by as "readBy", orders.handed_on as "handedOn", orders.problems,
  orders.destination_connection_id as "destinationConnectionId",
  orders.destination_external_id as "destinationExternalId",
  orders.destination_status as "destinationStatus",
  orders.creation_begun_at as "creationBegunAt", orders.searched_since as "searchedSince", orders.tracking,
  orders.is_released as "isReleased", orders.unknown_since as "unknownSince",
  coalesce(orders.unknown_since <= now() - interval '1 hour', false) as "isUnknownForLong",
  orders.personal_data_removed_at as "personalDataRemovedAt"`

export const selectOrder = `select ${orderColumns} from orders where id = $1::uuid`

// An order has an id at its marketplace and another one in the shop. `$2`: the text as an id of the
// hub, or null.
export const selectFound = `
  with found as (
    (select id, 'id' as "matchedBy" from orders where id between $2::uuid and $4::uuid limit $3)
    union all
    (
      select orders.id, 'externalId'
      from orders
      where ${isOfAny('orders.connection_id')} and orders.external_id = $1
      limit $3
    )
    union all
    (
      select orders.id, 'externalId'
      from orders
      where ${isOfAny('orders.destination_connection_id')} and orders.destination_external_id = $1
      limit $3
    )
  )
  select
    orders.id, orders.connection_id as "connectionId", orders.external_id as "externalId", orders.status,
    orders.destination_external_id as "destinationExternalId", found."matchedBy"
  from found
  join orders on orders.id = found.id`

export const lockById = `${selectOrder} for update`

export const lockByDestination = `
  select ${orderColumns}
  from orders
  where destination_connection_id = $1
    and destination_external_id = $2
    and ($3::timestamptz is null or shop_read_at is null or shop_read_at < $3)
  for update`

/** Far more orders than a buyer pays together. */
const mostSharers = 100

export const lockOthersWithLines = `
  select ${orderColumns}
  from orders
  where connection_id = $1
    and id <> $2
    and status not in ('cancelled', 'returned')
    and id in (select order_id from order_lines where external_id = any($3))
  order by id
  limit ${mostSharers}
  for update`

const detailColumns = `${orderColumns},
  orders.placed_at as "placedAt", orders.created_at as "createdAt", orders.updated_at as "updatedAt",
  (
    select coalesce(sum(quantity - coalesce(at_shop, 0)), 0)::integer
    from order_lines
    where order_id = orders.id and is_reserved
  ) as reserved`

export const selectDetails = `select ${detailColumns} from orders where id = $1`

export const selectManyDetails = `
  select ${detailColumns}
  from orders
  where id = any($1::uuid[])
  order by created_at, id`

/** The conditions of a page of orders that not every page has. They decide which index it uses. */
export interface PageShape {
  isNewestFirst: boolean
  hasExternalId: boolean
  hasProblem: boolean
}

// A partial index has the condition `problems <> '[]'::jsonb`, word for word.
export const selectPageOfDetails = ({ isNewestFirst, hasExternalId, hasProblem }: PageShape): string => `
  select ${detailColumns}
  from orders
  where ($1::uuid is null or connection_id = $1)
    and ($2::text is null or status = $2)
    and ($3::timestamptz is null or created_at >= $3)
    and ($4::timestamptz is null or (created_at, id) ${isNewestFirst ? '<' : '>'} ($4, $5::uuid))
    and ${hasExternalId ? 'external_id = $7' : '$7::text is null'}
    and ${
  hasProblem
    ? `problems <> '[]'::jsonb and ($8 = 'any' or problems @> jsonb_build_array(jsonb_build_object('code', $8::text)))`
    : '$8::text is null'
}
  order by ${isNewestFirst ? 'created_at desc, id desc' : 'created_at, id'}
  limit $6`

// An order that was gone or unknown, or that is older than its connection, has to be read in the
// same revision.
export const selectRevisions = `
  select
    external_id as "externalId",
    case
      when source_status <> 'gone'
        and (status <> 'elsewhere' or snapshot ->> 'fulfilment' = 'elsewhere')
        and unknown_since is null
      then revision
    end as revision
  from orders
  where connection_id = $1 and external_id = any($2)`

export const updateListed = `
  update orders set listed_at = clock_timestamp()
  where connection_id = $1 and external_id = any($2)`

export const selectIdentity = `
  select
    own.platform_type as "platformType", own.account_id as "accountId",
    ${isoOf('own.orders_since')} as "ordersSince",
    found.id, found."holderId", found."holderName"
  from connections as own
  left join lateral (
    select orders.id, holder.id as "holderId", holder.name as "holderName"
    from connections as holder
    join orders on orders.connection_id = holder.id and orders.external_id = $2
    where holder.id = own.id or (holder.platform_type = own.platform_type and holder.account_id = own.account_id)
    order by holder.id <> own.id
    limit 1
  ) as found on true
  where own.id = $1`

/** The connection itself comes first. */
export const selectWays = `
  select way.id
  from connections as own
  join connections as way on way.platform_type = own.platform_type
    and (
      way.id = own.id
      or way.account_id = own.account_id
      or (way.deleted_at is not null and coalesce(way.account_id, '') = '')
    )
  where own.id = $1
  order by way.id <> own.id, way.created_at desc
  limit 10`

/**
 * Gives orders of the connection `$1` to `$2`, without the problem `$4`, which says that the former
 * was deleted. `$5` goes to their history.
 */
export const moveOrders = `
  with moved as (
    update orders set
      connection_id = $2,
      problems = jsonb_path_query_array(
        problems,
        '$[*] ? (@.detail != $detail)',
        jsonb_build_object('detail', $4::text)
      )
    where connection_id = $1
      and ($3::uuid[] is null or id = any($3))
      and not exists (
        select from orders as own where own.connection_id = $2 and own.external_id = orders.external_id
      )
    returning id, external_id, status
  ),
  noted as (
    insert into order_history (order_id, event, detail)
    select id, 'taken over', $5::jsonb
    from moved
  )
  select id, external_id as "externalId", status from moved`

/** Most orders that one sweep asks for. The next sweep begins with those asked for longest ago. */
const mostUnlisted = 500

export const selectUnlisted = `
  select external_id as "externalId"
  from orders
  where connection_id = $1
    and ${reservingSql}
    and updated_at < $2
    and (listed_at is null or listed_at < $2)
  order by updated_at, id
  limit ${mostUnlisted}`

// An order that was placed before a restore, or before the connection was made, may be in the shop
// already. The clock of a marketplace may be wrong by some minutes.
export const insertNew = `
  insert into orders (
    id, connection_id, external_id, status, source_status, revision, snapshot, placed_at,
    searched_since,
    created_at, updated_at
  )
  values (
    $1, $2, $3, 'pending', $4, $5, $6, $7,
    greatest(
      (select max(restored_at) from restores where restored_at + interval '1 hour' >= $7),
      (select now() from order_removals where order_removals.connection_id = $2 and placed_until >= $7),
      (
        select now()
        from connections
        where connections.id = $2 and orders_since is not null and connections.created_at > $7
      )
    ),
    date_trunc('milliseconds', now()), now()
  )
  on conflict do nothing
  returning id`

export const updateFromMarketplace = `
  update orders set
    status = $2,
    source_status = $3,
    upstream_status = $4,
    revision = $5,
    snapshot = $6,
    problems = $7,
    personal_data_removed_at = $8,
    handed_on = $9,
    read_by = $10,
    unknown_since = null,
    ended_at = ${endedAtOf('$2')},
    updated_at = now(),
    cancelled_at = case when $2 = 'cancelled' then coalesce(cancelled_at, now()) end,
    is_released = is_released and status = 'failed' and $2 = 'failed'
  where id = $1`

/** SQL: the problems that no success settles: a connection of the order is deleted. */
export const lastingProblems = `jsonb_path_query_array(problems, '$[*] ? (@.code == "connection-deleted")')`

export const updateToReady = `
  update orders set
    status = 'ready',
    problems = ${lastingProblems},
    is_released = false,
    updated_at = now()
  where id = $1`

export const updateToPending = `
  update orders set status = 'pending', problems = ${lastingProblems}, ended_at = null, updated_at = now()
  where id = $1`

export const updateToReleased = 'update orders set is_released = true, updated_at = now() where id = $1'

export const updateToCancelled = `
  update orders set
    status = 'cancelled',
    handed_on = null,
    problems = jsonb_path_query_array(problems, '$[*] ? (@.code != "LNK_ORDER_CHANGED")'),
    cancelled_at = now(),
    ended_at = ${endedAtOf("'cancelled'")},
    updated_at = now()
  where id = $1`

export const updateToKnown = `
  update orders set source_status = snapshot->>'status', updated_at = now()
  where id = $1`

export const updateToUnknown = 'update orders set unknown_since = now(), updated_at = now() where id = $1'

export const updateToReplaced = `
  update orders set
    status = 'cancelled',
    source_status = 'gone',
    problems = '[]',
    cancelled_at = now(),
    ended_at = ${endedAtOf("'cancelled'")},
    updated_at = now()
  where id = any($1::uuid[])`

export const updateTracking = 'update orders set tracking = $2, updated_at = now() where id = $1'

export const appendProblems = `
  update orders set problems = problems || $2::jsonb, updated_at = now()
  where id = $1 and not problems @> $2::jsonb`

export const removeProblemsByCode = `
  update orders set
    problems = (
      select coalesce(jsonb_agg(problem order by position), '[]')
      from jsonb_array_elements(orders.problems) with ordinality as noted (problem, position)
      where coalesce(problem ->> 'code', '') <> all($2::text[])
    )
  where id = $1 and problems <> '[]'`

export const insertEntry = 'insert into order_history (order_id, event, detail) values ($1, $2, $3) returning id'

const keptEntries = 200

export const deleteOldEntries = `
  delete from order_history
  where order_id = $1
    and id <= (
      select id from order_history
      where order_id = $1
      order by id desc
      offset ${keptEntries}
      limit 1
    )`

export const selectHistory = 'select at, event, detail from order_history where order_id = $1 order by id'

export const selectLastEntry = `
  select id from order_history
  where order_id = $1 and event = $2
  order by id desc
  limit 1`

// An index has the orders that their shop has made.
const isAtShop = 'destination_connection_id = $1 and destination_external_id is not null'

export const countOfConnection = `
  select count(*)::integer as count
  from orders
  where connection_id = $1 or (${isAtShop})`

const isOpen = "status in ('pending', 'awaiting_mapping', 'ready', 'created', 'failed')"

/**
 * SQL: the orders that are not finished and need the connection `$1`: as their marketplace, as
 * their shop, as the shop of one of their variants, or as the carrier of their parcel.
 */
const openOn = `
  select id from orders where connection_id = $1 and ${isOpen}
  union
  select id from orders where ${isAtShop} and ${isOpen}
  union
  select orders.id
  from shipments
  join orders on orders.id = shipments.order_id
  where shipments.connection_id = $1 and shipments.status in ('requested', 'created') and orders.${isOpen}
  union
  select orders.id
  from products
  join variants on variants.product_id = products.id
  join order_lines as line on line.variant_id = variants.id
  join orders on orders.id = line.order_id
  where products.connection_id = $1 and orders.${isOpen}`

export const countOpen = `select count(*)::integer as count from (${openOn}) as open`

export const selectFirstOpen = `
  select id
  from orders
  where id = any(array(${openOn}))
  order by created_at, id
  limit 5`

export const noteOnOpen = `
  with noted as (
    update orders set problems = problems || $2::jsonb, updated_at = now()
    where id = any(array(${openOn}))
    returning id
  )
  insert into order_history (order_id, event, detail)
  select id, 'connection deleted', $3::jsonb
  from noted`

/**
 * Counts the orders of connections `$1` with a problem, by connection and code, of the newest `$2`
 * that have one. Leaves out those that people find by their status.
 */
export const countProblems = `
  select
    few.connection_id as "connectionId", problem ->> 'code' as code,
    count(*)::integer as count, ${isoOf('min(few.updated_at)')} as since
  from (
    select connection_id, problems, updated_at
    from orders
    where problems <> '[]'::jsonb
      and not ${heldUpSql}
      and connection_id = any($1::uuid[])
    order by created_at desc, id desc
    limit $2
  ) as few
  cross join jsonb_array_elements(few.problems) as problem
  group by few.connection_id, problem ->> 'code'`

/**
 * Counts the orders of connections `$1` that have had a status for a time: `$2` the statuses, `$3`
 * the times in milliseconds. Counts `$4` orders of each connection and status at most.
 */
export const countStanding = `
  select given.id as "connectionId", asked.status, counted.count, ${isoOf('counted.since')} as since
  from unnest($1::uuid[]) as given (id)
  cross join unnest($2::text[], $3::float8[]) as asked (status, ms)
  cross join lateral (
    select count(*)::integer as count, min(few.created_at) as since
    from (
      select orders.created_at
      from orders
      where orders.connection_id = given.id
        and orders.status = asked.status
        and orders.created_at <= clock_timestamp() - interval '1 millisecond' * asked.ms
        and orders.updated_at <= clock_timestamp() - interval '1 millisecond' * asked.ms
      order by orders.created_at
      limit $4
    ) as few
  ) as counted
  where counted.count > 0`

export const selectExternalIds = 'select id, external_id as name from orders where id = any($1::uuid[])'
