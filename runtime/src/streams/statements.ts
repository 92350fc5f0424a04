import { isoOf } from '../database/iso-of.ts'

// Each statement is one step. It locks rows in the order of key or id, so that two processes with
// the same rows cannot deadlock. It takes ids before the insert, in the order of arrival; the
// insert itself goes by key.

const input = (columns: string) => `
  select nextval('stream_messages_id_seq') as id, given.*
  from rows from (${columns}) with ordinality as given`

/**
 * $1 stream, $2 connection ids, $3 epochs, $4 keys, $5 JSON array of fields. Returns the rows in
 * the order given. Waits for a transaction that has inserted one of the keys and has not committed
 * yet.
 */
export const publish = `
with input as (${
  input('unnest($2::uuid[]), unnest($3::int[]), unnest($4::text[]), json_array_elements($5::json)')
} (connection_id, epoch, key, fields, position)
), accepted as (
  select input.*
  from input
  join connections on connections.id = input.connection_id and connections.version = input.epoch
), inserted as (
  insert into stream_messages (id, stream, key, connection, fields)
  select id, $1, key, connection_id::text, fields from accepted order by key, position
  on conflict (stream, key) where key is not null do nothing
  returning id
)
select case
  when inserted.id is not null then 'published'
  when accepted.id is not null then 'duplicate'
  else 'stale'
  end as result
from input left join accepted using (id) left join inserted using (id)
order by input.position`

/**
 * $1 stream, $2 keys, $3 JSON array of fields, $4 ids of the source messages or null, $5
 * connections. Acknowledges the source messages. Returns the rows in the order given. For an
 * expired key it only says so and leaves the source alone: the row must give up the key first. `id`
 * is null when another transaction committed the key meanwhile; the next statement sees that row.
 * `any($4)` lets the planner enter the table by its key always.
 */
export const enqueue = `
with input as (${
  input('unnest($2::text[]), json_array_elements($3::json), unnest($4::bigint[]), unnest($5::text[])')
} (key, fields, source, connection, position)
), existing as (
  select id, key, expires_at <= now() as is_expired from stream_messages where stream = $1 and key = any($2::text[])
), inserted as (
  insert into stream_messages (id, stream, key, connection, fields)
  select id, $1, key, connection, fields from input order by key, position
  on conflict (stream, key) where key is not null do nothing
  returning id, key
), acknowledged as (
  update stream_messages set acked_at = now() where id = any(array(
    select message.id from stream_messages message join input on input.source = message.id
    where message.id = any($4::bigint[])
      and message.acked_at is null
      and not exists (select from existing where existing.key = input.key and existing.is_expired)
    order by message.id for update of message
  ))
)
select coalesce(inserted.id, existing.id)::text as id, inserted.id is not distinct from input.id as "isNew",
  coalesce(existing.is_expired, false) as "isExpired"
from input left join inserted using (key) left join existing using (key)
order by input.position`

/**
 * $1 stream, $2 keys. Removes the key from messages that have expired as markers. The messages
 * stay, because they may not be handled yet.
 */
export const releaseExpiredKeys = `
with expired as (
  select id, key
  from stream_messages
  where stream = $1 and key = any($2::text[]) and expires_at <= now()
  order by id
  for update
)
update stream_messages set key = null from expired where stream_messages.id = expired.id returning expired.key`

const handOut = (condition: string) => `
update stream_messages set consumer = $2, delivered_at = now(), deliveries = deliveries + 1 where id = any(array(
  select id from stream_messages where stream = $1 and acked_at is null and ${condition} limit $3 for update skip locked
)) returning id::text as id, fields::text as fields, deliveries`

// Never `id > cursor`: PostgreSQL gives an id before the commit, so a lower id may become visible
// after a higher one.
/** $1 stream, $2 consumer, $3 count. */
export const take = handOut('delivered_at is null order by id')

/**
 * $1 stream, $2 consumer, $3 id that the look begins after, $4 entries of the head, $5 entries at
 * the head above which a connection is being served, $6 entries to look at, $7 entries to hand out.
 * Returns at least one row: how many it looked at and the id of the last, beside each entry that it
 * handed out.
 */
export const takeAhead = `
with head as (
  select id, connection
  from stream_messages
  where stream = $1 and acked_at is null and delivered_at is null
  order by id
  limit $4
), seen as (
  select id, connection from stream_messages
  where stream = $1
    and acked_at is null
    and delivered_at is null
    and id > greatest($3::bigint, (select max(id) from head))
  order by id limit $6
), served as (
  select coalesce(connection, '') as connection from head group by 1 having count(*) > $5
), quiet as (
  select id, count(*) over (partition by connection) as share from seen
  where coalesce(connection, '') not in (select connection from served)
), chosen as (
  select id from quiet order by share, id limit $7
), taken as (
  update stream_messages set consumer = $2, delivered_at = now(), deliveries = deliveries + 1 where id = any(array(
    select message.id from stream_messages message join chosen using (id)
    where message.acked_at is null and message.delivered_at is null
    order by message.id for update of message skip locked
  )) returning id::text as id, fields::text as fields, deliveries
)
select taken.*, looked.*
from (select count(*)::int as seen, max(id)::text as last from seen) as looked
left join taken on true`

/** $1 stream, $2 consumer, $3 count, $4 min idle in ms. */
export const claim = handOut("delivered_at <= now() - $4 * interval '1 millisecond' order by delivered_at, id")

/** $1 stream, $2 ids. */
export const acknowledge = `
update stream_messages set acked_at = now() where id = any(array(
  select id
  from stream_messages
  where stream = $1 and id = any($2::bigint[]) and acked_at is null
  order by id
  for update
))`

/** $1 stream, $2 id. */
export const findFields = 'select fields::text as fields from stream_messages where stream = $1 and id = $2'

/**
 * $1 stream, $2 id, $3 dead stream, $4 fields, $5 life in seconds. Nobody reads the dead stream:
 * its entries are acknowledged from the start.
 */
export const deadLetter = `
with source as (
  update stream_messages
  set acked_at = now()
  where stream = $1 and id = $2 and delivered_at is not null and acked_at is null
  returning id
)
insert into stream_messages (stream, fields, acked_at, expires_at)
select $3, $4::json, now(), now() + $5 * interval '1 second' from source`

/** The condition is that of the index. */
export const selectDead = `
select
  dead.stream, dead.count, ${isoOf('last.published_at')} as "lastAt", last.fields ->> 'reason' as reason
from (
  select stream, count(*)::integer as count, max(id) as "lastId"
  from stream_messages
  where stream like '%.dead'
  group by stream
) as dead
join stream_messages as last on last.id = dead."lastId"`

/** Writes a row that has expired, which the next maintenance removes. */
export const touch = `
insert into stream_messages (stream, fields, acked_at, expires_at) values ('linker.touch', '{}', now(), now())`

/** $1 most rows. Acknowledged rows are the markers, so they stay until they expire. */
export const removeExpired = `
with removed as (
  delete from stream_messages where id = any(array(
    select id
    from stream_messages
    where acked_at is not null and expires_at <= now()
    order by expires_at
    limit $1
    for update skip locked
  )) returning 1
)
select count(*)::int as removed from removed`
