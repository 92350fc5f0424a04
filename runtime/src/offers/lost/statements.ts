import { nameOfVariant } from '../../catalog/statements.ts'
import { isoOf } from '../../database/iso-of.ts'
import { isAtMarketplace } from '../marketplace/statements.ts'

const lost = `
  from variants
  join offers on offers.variant_id = variants.id
  where variants.missing_at is not null and ${isAtMarketplace}`

/** $1 most offers, $2 most samples of a connection. */
export const countLost = `
  select
    "connectionId", count(*)::integer as count, ${isoOf('min(since)')} as since,
    (array_agg(id order by since, id))[1:$2::integer] as "sampleIds"
  from (
    select offers.connection_id as "connectionId", offers.id, variants.missing_at as since
    ${lost}
    limit $1
  ) as found
  group by "connectionId"`

/** The name is the shop's. Where the marketplace tells no more, it is the variant as it was. */
export const selectLost = `
  select
    offers.external_id as "externalId", coalesce(${nameOfVariant}, offers.title) as title,
    null as reference, coalesce(offers.sku, variants.sku) as sku, coalesce(offers.ean, variants.ean) as ean
  from offers
  join variants on variants.id = offers.variant_id
  join products on products.id = variants.product_id
  where offers.id = any($1::uuid[])
  order by variants.missing_at, offers.id`
