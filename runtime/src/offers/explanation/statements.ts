import { nameOfVariant } from '../../catalog/statements.ts'
import { sellsInactiveSql } from '../../connections/statements.ts'
import { isoOf } from '../../database/iso-of.ts'
import { reservedSql } from '../../stock/statements.ts'

// Text order is the order of times: all texts have the same form.
export const selectExplained = `
  select
    ${isoOf('clock_timestamp()')} as "checkedAt",
    jsonb_build_object(
      'id', offers.id,
      'connectionId', offers.connection_id,
      'externalId', offers.external_id,
      'status', offers.status,
      'createJobId', offers.create_job_id,
      'price', offers.price,
      'quantity', offers.quantity,
      'stockVersion', offers.stock_version,
      'sentLinkVersion', offers.sent_link_version,
      'linkVersion', offers.link_version,
      'buffer', offers.buffer,
      'maxListed', offers.max_listed,
      'sellsInactive', ${sellsInactiveSql('offers.connection_id')},
      'upstreamQuantity', offers.upstream_quantity,
      'upstreamReadAt', ${isoOf('offers.upstream_read_at')},
      'lagQuantity', case when offers.lag_read_at >= offers.last_synced_at then offers.lag_quantity end,
      'lagReadAt', case when offers.lag_read_at >= offers.last_synced_at then ${isoOf('offers.lag_read_at')} end,
      'frozenFields', offers.frozen_fields,
      'problems', offers.problems,
      'createdUpstreamAt', ${isoOf('offers.created_upstream_at')},
      'lastSyncedAt', ${isoOf('offers.last_synced_at')},
      'seenAt', ${isoOf('offers.seen_at')},
      'createdAt', ${isoOf('offers.created_at')}
    ) as offer,
    jsonb_build_object(
      'id', variants.id,
      'name', ${nameOfVariant},
      'sku', variants.sku,
      'ean', variants.ean,
      'price', variants.price,
      'regularPrice', variants.regular_price,
      'missingSince', ${isoOf('variants.missing_at')},
      'createdAt', ${isoOf('variants.created_at')},
      'productExternalId', products.external_id
    ) as variant,
    case when stock.variant_id is not null then jsonb_build_object(
      'quantity', stock.quantity,
      'reserved', ${reservedSql},
      'isCounted', stock.is_counted,
      'isSellable', variants.is_sellable,
      'confirmedQuantity', stock.confirmed_quantity,
      'jumpedAt', ${isoOf('stock.jumped_at')},
      'sharedWith', (
        select count(*)
        from stock as other
        where other.shared_id = stock.shared_id and other.variant_id <> stock.variant_id
      ),
      'version', stock.version,
      'updatedAt', ${isoOf('stock.updated_at')},
      'readAt', ${isoOf('stock.read_at')}
    ) end as stock,
    jsonb_build_object(
      'id', shops.id,
      'name', shops.name,
      'deletedAt', ${isoOf('shops.deleted_at')}
    ) as shop
  from offers
  join variants on variants.id = offers.variant_id
  join products on products.id = variants.product_id
  join connections as shops on shops.id = products.connection_id
  left join stock on stock.variant_id = offers.variant_id
  where offers.id = $1`

// The row of an offer that was linked since then says nothing any more.
export const selectUnlinkedOffer = `
  select
    ${isoOf('clock_timestamp()')} as "checkedAt",
    jsonb_build_object(
      'id', kept.id,
      'connectionId', kept.connection_id,
      'externalId', kept.external_id,
      'status', kept.status,
      'quantity', kept.quantity,
      'seenAt', ${isoOf('kept.seen_at')},
      'releasedAt', ${isoOf('kept.released_at')}
    ) as offer
  from unlinked_offers as kept
  where kept.id = $1
    and not exists (
      select from offers
      where offers.connection_id = kept.connection_id and offers.external_id = kept.external_id
    )`
