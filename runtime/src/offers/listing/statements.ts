import { sellsInactiveSql } from '../../connections/statements.ts'
import { reservedSql } from '../../stock/statements.ts'

export const selectVariants = `
  select
    variants.id as "variantId", products.id as "productId",
    products.name as "productName", variants.name as "variantName", products.description,
    products.image_urls as "productImages", variants.image_urls as "variantImages",
    variants.price, variants.tax_rate as "taxRate", variants.options, variants.sku, variants.ean,
    (
      select count(*)
      from variants as sibling
      where sibling.product_id = products.id and sibling.missing_at is null
    ) > 1 as "hasSiblings",
    stock.quantity as stock, ${reservedSql} as reserved, stock.is_counted as "isCounted",
    variants.is_sellable as "isSellable", ${sellsInactiveSql('$2::uuid')} as "sellsInactive",
    stock.confirmed_quantity as "confirmedQuantity"
  from variants
  join products on products.id = variants.product_id
  left join stock on stock.variant_id = variants.id
  where variants.id = any($1::uuid[]) and variants.missing_at is null`

export const selectExisting = `
  select id, variant_id as "variantId", status
  from offers
  where connection_id = $1
    and variant_id = any($2::uuid[])
    and status not in ('ENDED', 'FAILED')
  order by created_at desc, id`

export const upsertDrafts = `
  insert into offers (
    id, connection_id, variant_id, external_id, status, title, price, create_job_id,
    frozen_fields, problems, created_at, updated_at
  )
  select id, $1, "variantId", "externalId", 'DRAFT', title, price, "jobId", '[]', '[]', $3, $3
  from jsonb_to_recordset($2::jsonb) as wanted (
    id uuid, "variantId" uuid, "externalId" text, title text, price jsonb, "jobId" uuid
  )
  order by "externalId"
  on conflict (connection_id, external_id) do update set
    status = 'DRAFT',
    title = excluded.title,
    price = excluded.price,
    create_job_id = excluded.create_job_id,
    frozen_fields = '[]',
    problems = '[]',
    upstream_status = null,
    quantity = null,
    stock_version = null,
    sent_link_version = null,
    upstream_quantity = null,
    created_upstream_at = null,
    last_synced_at = null,
    written_at = null,
    seen_at = null,
    updated_at = $3
  where offers.status in ('ENDED', 'FAILED')
    and offers.variant_id = excluded.variant_id
    -- A repetition of the request whose job has died already makes no other job.
    and offers.create_job_id is distinct from excluded.create_job_id
  returning id, variant_id as "variantId"`

export const selectListed = `
  select id, variant_id as "variantId", status, create_job_id as "jobId"
  from offers
  where connection_id = $1 and variant_id = any($2::uuid[])
  order by (status in ('ENDED', 'FAILED')), created_at desc, id`

export const insertBatch = `
  insert into offer_batches (id, connection_id, created_at)
  values ($1, $2, date_trunc('milliseconds', now()))
  on conflict (id) do nothing`

export const insertItems = `
  insert into offer_batch_items (batch_id, position, item, variant_id, offer_id, job_id)
  select $1, position, item, "variantId", "offerId", "jobId"
  from jsonb_to_recordset($2::jsonb) as made (
    position integer, item jsonb, "variantId" uuid, "offerId" uuid, "jobId" uuid
  )
  on conflict do nothing`

const itemAsJson = `
  json_build_object(
    'position', position,
    'item', item,
    'variantId', variant_id,
    'offerId', offer_id,
    'jobId', job_id
  )`

export const selectBatch = `
  select id, connection_id as "connectionId", created_at as "createdAt", (
    select coalesce(json_agg(${itemAsJson} order by position), '[]')
    from offer_batch_items
    where batch_id = offer_batches.id
  ) as items
  from offer_batches
  where id = $1`

export const selectItemsForUpdate = `
  select
    item.position, item.offer_id as "offerId", item.job_id as "jobId", jobs.payload,
    coalesce(jobs.outcome in ('dead', 'cancelled'), false) as "isFailed"
  from offer_batch_items as item
  join jobs on jobs.id = item.job_id
  where item.batch_id = $1
  order by item.position
  for update of item`

export const updateItems = `
  with next as (
    select * from jsonb_to_recordset($2::jsonb) as next (position integer, "offerId" uuid, "jobId" uuid)
  ),
  revived as (
    update offers set status = 'DRAFT', problems = '[]', create_job_id = next."jobId", updated_at = now()
    from next
    where offers.id = next."offerId"
      and offers.status = 'FAILED'
      and offers.create_job_id is distinct from next."jobId"
  )
  update offer_batch_items set job_id = next."jobId"
  from next
  where batch_id = $1 and offer_batch_items.position = next.position`

// A batch with a job that has not ended stays: somebody may still look for it. Skips locked rows:
// another process is removing them.
export const deleteOldBatches = `
  delete from offer_batches
  where id in (
    select id
    from offer_batches
    where created_at < now() - $2::integer * interval '1 day'
      and not exists (
        select
        from offer_batch_items as item
        join jobs on jobs.id = item.job_id
        where item.batch_id = offer_batches.id and jobs.state is not null
      )
    order by created_at
    limit $1
    for update skip locked
  )
  returning true as removed`

export const countBatches = 'select count(*)::integer as count from offer_batches where connection_id = $1'
