import { idsFoundBy, isNamed, isSwitched, nameOfVariant } from '../catalog/statements.ts'
import { sellsInactiveSql } from '../connections/statements.ts'
import { isoOf } from '../database/iso-of.ts'
import { prepared } from '../database/prepared.ts'

/**
 * SQL: whether the reading behind a row of stock began no later than this one, so that this one may
 * replace it. Readings overtake each other; of two, the one that began later has seen more.
 */
export function isReadBefore (readAt: string): string {
  // A future time comes from a server whose clock was ahead: it would refuse readings until then.
  return `(stock.read_at <= ${readAt} or stock.read_at > clock_timestamp())`
}

/** SQL: the pieces by which the stock of a row may grow at once. Null: by any number. */
const largestJump = `(
  select (connections.settings ->> 'confirmStockJump')::integer
  from variants
  join products on products.id = variants.product_id
  join connections on connections.id = products.connection_id
  where variants.id = stock.variant_id
)`

/**
 * SQL: the quantity that offers go by when a row of `stock` gets another one. Null: the new one.
 *
 * A jump stays one until the quantity comes near to the old one again. What the stock falls
 * meanwhile may have been sold, so the old quantity falls with it, unless the fall is so large that
 * it corrects the jump.
 */
const confirmedAfter = (quantity: string, isCounted: string): string => `
  case
    when stock.is_counted
      and ${isCounted}
      and ${quantity} > coalesce(stock.confirmed_quantity, stock.quantity)
    then (
      select case when ${quantity} - near.quantity > near.most then near.quantity end
      from (
        select jump.most,
          case
            when stock.confirmed_quantity is null then stock.quantity
            when ${quantity} - stock.quantity between -greatest(jump.most, stock.confirmed_quantity) and jump.most
              then stock.confirmed_quantity + ${quantity} - stock.quantity
            else stock.confirmed_quantity
          end as quantity
        from (select ${largestJump} as most) as jump
      ) as near
    )
  end`

const isUnchanged = `
  stock.quantity = excluded.quantity
    and stock.is_counted = excluded.is_counted
    and stock.shared_id is not distinct from excluded.shared_id
    and stock.confirmed_quantity is not distinct from next.confirmed`

const upsertOf = (condition: string): string => `
  insert into stock (variant_id, quantity, is_counted, shared_id, version, updated_at, read_at)
  select id, quantity, "isCounted", "sharedId", 1, now(), "readAt"
  from jsonb_to_recordset($1::jsonb) as l (
    id uuid, quantity integer, "isCounted" boolean, "sharedId" uuid, "readAt" timestamptz
  )
  ${condition}
  order by id
  on conflict (variant_id) do update set
    (quantity, is_counted, shared_id, read_at, confirmed_quantity, jumped_at, version, updated_at) = (
      select excluded.quantity, excluded.is_counted, excluded.shared_id, excluded.read_at,
        next.confirmed,
        case when next.confirmed is not null then coalesce(stock.jumped_at, now()) end,
        stock.version + case when ${isUnchanged} then 0 else 1 end,
        case when ${isUnchanged} then stock.updated_at else now() end
      from (select ${confirmedAfter('excluded.quantity', 'excluded.is_counted')} as confirmed) as next
    )
  where ${isReadBefore('excluded.read_at')}
  returning variant_id as "variantId", version`

export const upsertStock = prepared(upsertOf(''))

/** Writes no level when one of the variants has shared a stock until now. */
export const upsertUnshared = prepared(upsertOf(`
  where not exists (
    select from stock
    where variant_id = any(array(select id from jsonb_to_recordset($1::jsonb) as g (id uuid)))
      and shared_id is not null
  )`))

// Arrays instead of joins: PostgreSQL enters by the indexes even without statistics of shared_id.
const stocksOf = (ids: string): string => `
  select shared_id from stock where variant_id = any(array(${ids})) and shared_id is not null`

/** SQL: the ids of all rows of some shared stocks. */
const rowsOf = (stocks: string): string => `
  select variant_id from stock where shared_id = any(array(${stocks}))`

/** SQL: whether a row of `stock` is that of one of these variants, or shares its stock with one. */
const sharesWith = (ids: string): string => `variant_id = any(array(${ids} union ${rowsOf(stocksOf(ids))}))`

/** SQL: whether the shop still has the variant of a row of `stock`. */
const isPresent = '(select missing_at is null from variants where variants.id = stock.variant_id)'

/**
 * Locks the rows of some levels, of all variants that share their stock, and of those that shared
 * it until now, in one order.
 */
export const lockSharing = `
  with given as (
    select id, "sharedId" from jsonb_to_recordset($1::jsonb) as g (id uuid, "sharedId" uuid)
  )
  select variant_id as id, shared_id as "sharedId", version, reserved
  from stock
  where variant_id = any(array(
    select id from given
    union
    ${rowsOf(`select "sharedId" from given union ${stocksOf('select id from given')}`)}
  ))
  order by variant_id
  for update`

/**
 * Lets one transaction after the other change which variants share some stocks. Locks of rows are
 * not enough: a variant that joins a stock is not among its rows yet. Take it after those, always.
 */
export const lockStocks = `
  select pg_advisory_xact_lock(key)
  from (
    select distinct hashtextextended('stock ' || stock, 0) as key
    from unnest($1::text[]) as stock
    order by key
  ) as keys`

/** Finds the levels of stocks that a later reading has told, with the quantity that it told. */
export const selectOvertaken = `
  select given.id, newest.quantity, newest."isCounted"
  from jsonb_to_recordset($1::jsonb) as given (id uuid, "sharedId" uuid, "readAt" timestamptz)
  cross join lateral (
    select quantity, is_counted as "isCounted"
    from stock
    where shared_id = given."sharedId"
      and not ${isReadBefore('given."readAt"')}
      and ${isPresent}
    order by read_at desc
    limit 1
  ) as newest`

/**
 * Gives the quantity of a shared stock to its other rows. They get a new version also when a
 * variant with reserved pieces has joined them. `$2`: the rows that have a new version already.
 */
export const updateSharing = `
  with given as (
    select distinct on ("sharedId") "sharedId", quantity, "isCounted", "readAt", "isJoined"
    from jsonb_to_recordset($1::jsonb) as g (
      "sharedId" uuid, quantity integer, "isCounted" boolean, "readAt" timestamptz, "isJoined" boolean
    )
    order by "sharedId", "isJoined" desc
  )
  update stock set
    quantity = given.quantity,
    is_counted = given."isCounted",
    (confirmed_quantity, jumped_at) = (
      select next.confirmed, case when next.confirmed is not null then coalesce(stock.jumped_at, now()) end
      from (select ${confirmedAfter('given.quantity', 'given."isCounted"')} as confirmed) as next
    ),
    version = stock.version + 1,
    updated_at = now(),
    read_at = greatest(stock.read_at, given."readAt")
  from given
  where stock.shared_id = any(array(select "sharedId" from given))
    and stock.shared_id = given."sharedId"
    and not stock.variant_id = any($2::uuid[])
    and ${isPresent}
    and (
      given."isJoined"
      or (
        ${isReadBefore('given."readAt"')}
        and (stock.quantity <> given.quantity or stock.is_counted <> given."isCounted")
      )
    )
  returning stock.variant_id as "variantId", stock.version, stock.shared_id as "sharedId"`

/** Raises the rows of stocks whose reserved pieces have changed, except those of `$2`. */
export const raiseSharing = `
  update stock set version = version + 1, updated_at = now()
  where shared_id = any($1::uuid[]) and not variant_id = any($2::uuid[])
  returning variant_id as "variantId", version, shared_id as "sharedId"`

// The variants that share the stock have fewer pieces left, too.
export const updateReserved = `
  with change as (
    select id, by
    from jsonb_to_recordset($1::jsonb) as c (id uuid, by integer)
    where by <> 0
  ),
  locked as (
    select variant_id
    from stock
    where ${sharesWith('select id from change')}
    order by variant_id
    for update
  )
  update stock set
    reserved = greatest(0, reserved + coalesce(change.by, 0)),
    version = version + 1,
    updated_at = now()
  from locked
  left join change on change.id = locked.variant_id
  where stock.variant_id = locked.variant_id
  returning stock.variant_id as "variantId", stock.version, stock.shared_id as "sharedId"`

/** Locks the rows of variants, and of all that share their stock, in one order. */
export const lockSharers = `
  select variant_id as "variantId", shared_id as "sharedId"
  from stock
  where ${sharesWith('select unnest($1::uuid[])')}
  order by variant_id
  for update`

// Every variant that shares the stock loses the pieces; only the sold one had reserved them. A
// variant that the shop no longer has keeps none, and so loses none.
export const updateSold = `
  with sold as (
    select id, by from jsonb_to_recordset($1::jsonb) as s (id uuid, by integer)
  ),
  touched as (
    select variant_id, shared_id from stock where ${sharesWith('select id from sold')}
  ),
  taken as (
    select
      touched.variant_id as id,
      sum(sold.by)::integer as by,
      coalesce(sum(sold.by) filter (where sold.id = touched.variant_id), 0)::integer as own
    from sold
    join touched as self on self.variant_id = sold.id
    join touched on touched.variant_id = self.variant_id or touched.shared_id = self.shared_id
    group by touched.variant_id
  )
  update stock set
    quantity = case when is_counted and ${isPresent} then quantity - taken.by else quantity end,
    confirmed_quantity = confirmed_quantity - taken.by,
    reserved = greatest(0, reserved - taken.own),
    updated_at = now(),
    read_at = greatest(read_at, now())
  from taken
  where stock.variant_id = taken.id`

export const updateUnread = `
  with left_over as (
    select variant_id
    from stock
    where variant_id = any($1::uuid[]) and read_at < $2
    order by variant_id
    for update
  )
  update stock set read_at = $2
  from left_over
  where stock.variant_id = left_over.variant_id
  returning stock.variant_id as id`

export const updateToZero = `
  update stock set quantity = 0, confirmed_quantity = null, jumped_at = null, version = version + 1, updated_at = now()
  where variant_id = any($1::uuid[]) and quantity <> 0
  returning variant_id as "variantId", version`

/** Raises the versions of variants that the master has switched on or off. */
export const raiseSwitched = `
  with switched as (
    select stock.variant_id
    from jsonb_to_recordset($1::jsonb) as told (id uuid, "isSellable" boolean, "readAt" timestamptz)
    join variants on variants.id = told.id
    join stock on stock.variant_id = told.id
    where ${isSwitched}
    order by stock.variant_id
    for update of stock
  )
  update stock set version = version + 1, updated_at = now()
  from switched
  where stock.variant_id = switched.variant_id
  returning stock.variant_id as "variantId", version`

/** SQL: the reserved pieces of a row of `stock` and of all rows that share its pieces. */
export const reservedSql = `(
  case
    when stock.shared_id is null then stock.reserved
    else (select sum(same.reserved) from stock as same where same.shared_id = stock.shared_id)
  end
)::integer`

/** SQL: the quantity of a row of `stock` by which its offers go. */
const confirmedSql = 'coalesce(stock.confirmed_quantity, stock.quantity)::bigint'

/** SQL: whether the master sells the variant of a row of `stock`. */
export const isSellableSql = '(select is_sellable from variants where variants.id = stock.variant_id)'

/** SQL: `isOnSale` over rows of `stock` and `offers`. */
const isOnSaleSql = `(${isSellableSql} or ${sellsInactiveSql('offers.connection_id')})`

/** SQL: the pieces that `offerWarnings` counts as left, over rows of `stock` and `offers`. */
export const leftSql = `(
  case
    when not ${isOnSaleSql} then 0
    else greatest(0, case when stock.is_counted then ${confirmedSql} - ${reservedSql} else stock.quantity end)
  end
)`

/** SQL: `publishedQuantity` over rows of `stock` and `offers`; a test compares the two. */
export const publishedQuantitySql = `(
  case
    when not ${isOnSaleSql} then 0
    when stock.is_counted
      then least(offers.max_listed, greatest(0, ${confirmedSql} - ${reservedSql} - offers.buffer))
    when stock.quantity > 0 then coalesce(offers.max_listed, stock.quantity)
    else 0
  end
)::integer`

const followsStock = "offers.status not in ('ENDED', 'FAILED')"

/** SQL: whether an offer was not written with its quantity, or does not show what was written. */
export const offerDrifts = `${followsStock} and (
  offers.quantity is distinct from ${publishedQuantitySql}
  or (offers.upstream_quantity <> offers.quantity and not offers.frozen_fields ? 'stock')
)`

/** SQL: whether a variant has such an offer. */
export const isDrifting = `
  exists (
    select from offers
    where offers.variant_id = variants.id and ${offerDrifts}
  )`

/** SQL: whether a jump of the stock waits for a person. */
export const isJumped = 'stock.confirmed_quantity is not null'

// Variants that share a stock have jumped together.
/** Ends the jumps of variant `$1`, or of all variants of shop `$2`. */
export const updateToConfirmed = `
  with jumped as (
    select stock.variant_id, products.connection_id
    from stock
    join variants on variants.id = stock.variant_id
    join products on products.id = variants.product_id
    where ${isJumped}
      and (products.connection_id = $2 or ${sharesWith('select $1::uuid')})
    order by stock.variant_id
    for update of stock
  )
  update stock set confirmed_quantity = null, jumped_at = null, version = version + 1, updated_at = now()
  from jumped
  where stock.variant_id = jumped.variant_id
  returning stock.variant_id as "variantId", stock.version, jumped.connection_id as "connectionId"`

/** Counts the variants of shops whose jumps wait for a person. */
export const countJumps = `
  select products.connection_id as "connectionId", count(*)::integer as count,
    ${isoOf('min(stock.jumped_at)')} as since
  from stock
  join variants on variants.id = stock.variant_id
  join products on products.id = variants.product_id
  where ${isJumped}
  group by products.connection_id`

/** SQL: whether the connection is the master of a variant, or a marketplace that offers it. */
export function isOn (connectionId: string): string {
  return `(
    products.connection_id = ${connectionId}
    or exists (
      select from offers
      where offers.variant_id = variants.id and offers.connection_id = ${connectionId}
    )
  )`
}

/** SQL: whether a text finds a variant. */
export const isFoundBy = (text: string): string => `variants.id in (${idsFoundBy(text)})`

const offersAsJson = `
  select jsonb_agg(
    jsonb_build_object(
      'offerId', id,
      'connectionId', connection_id,
      'quantity', quantity,
      'upstreamQuantity', upstream_quantity,
      'buffer', buffer,
      'maxListed', max_listed,
      'sellsInactive', ${sellsInactiveSql('offers.connection_id')},
      'frozenFields', frozen_fields
    )
    order by id
  )
  from offers
  where offers.variant_id = variants.id`

export const selectStockOf = `
  select
    variant_id as "variantId", quantity, ${reservedSql} as reserved, is_counted as "isCounted",
    ${isSellableSql} as "isSellable",
    confirmed_quantity as "confirmedQuantity"
  from stock
  where variant_id = any($1::uuid[])`

export const selectStock = `
  select
    variants.id, ${isoOf('variants.created_at')} as "createdAt",
    ${nameOfVariant} as name, variants.sku, variants.ean,
    stock.quantity, ${reservedSql} as reserved, stock.version,
    stock.is_counted as "isCounted", variants.is_sellable as "isSellable", stock.shared_id as "sharedStockId",
    stock.confirmed_quantity as "confirmedQuantity", ${isoOf('stock.jumped_at')} as "jumpedAt",
    ${isoOf('variants.missing_at')} as "missingSince", ${isoOf('stock.updated_at')} as "updatedAt",
    coalesce((${offersAsJson}), '[]') as offers
  from variants
  join stock on stock.variant_id = variants.id
  join products on products.id = variants.product_id`

const isOfConnection = `
  stock.variant_id = variants.id
    and products.id = variants.product_id
    and products.connection_id = $1`

export const countOfConnection = `
  select count(*)::integer as count
  from stock, variants, products
  where ${isOfConnection} and not ${isNamed}`

export const deleteOfConnection = `
  delete from stock
  using variants, products
  where ${isOfConnection} and not ${isNamed}`

export const clearKept = `
  update stock set
    quantity = 0,
    confirmed_quantity = null,
    jumped_at = null,
    version = stock.version + 1,
    updated_at = now()
  from variants, products
  where ${isOfConnection} and stock.quantity <> 0`

// Minutes since 1970: versions of one variant grow more slowly, so a later restore of the same
// backup skips the versions of the one before, too.
export const raiseVersions = `
  update stock
  set version = greatest(version + 1, floor(extract(epoch from now()) / 60)::integer)`
