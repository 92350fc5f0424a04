import { Migration } from '@mikro-orm/migrations'

/**
 * Adds what a marketplace shows of an offer besides its state, and the indexes that match offers
 * with variants and find both by a text.
 */
export class OffersAndSearch extends Migration {
  override up (): void {
    this.addSql(`
      -- The seller's own id of the offer, and the SKU and EAN that the marketplace shows.
      alter table offers add column reference text;
      alter table offers add column sku text;
      alter table offers add column ean text;
      alter table unlinked_offers add column sku text;
      alter table unlinked_offers add column ean text;

      -- A platform may send texts that are longer than an index takes, so each index has the
      -- beginning only.
      create index variants_sku on variants (left(lower(btrim(sku)), 200) text_pattern_ops);
      create index variants_ean on variants (left(ltrim(btrim(ean), '0'), 200));
      create index variants_name on variants (left(lower(btrim(name)), 200) text_pattern_ops);
      create index products_name on products (left(lower(btrim(name)), 200) text_pattern_ops);

      create index unlinked_offers_reference on unlinked_offers (connection_id, left(lower(btrim(reference)), 200));
      create index unlinked_offers_sku on unlinked_offers (connection_id, left(lower(btrim(sku)), 200));
      create index unlinked_offers_ean on unlinked_offers (connection_id, left(ltrim(btrim(ean), '0'), 200));

      -- Most offers are in neither of these: a write of a quantity leaves both columns as they are.
      create index offers_problems on offers (created_at, id) where problems <> '[]'::jsonb;
      create index offers_frozen on offers (created_at, id) where frozen_fields @> '["stock"]'::jsonb;
    `)
  }
}
