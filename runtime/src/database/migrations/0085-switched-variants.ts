import { Migration } from '@mikro-orm/migrations'

/**
 * Keeps whether the shop sells a variant, and its price without the promotion of today. The
 * variants of a product that the shop had switched off get a new version of their stock, so that
 * the next comparison writes their offers.
 */
export class SwitchedVariants extends Migration {
  override up (): void {
    this.addSql(`
      alter table variants
        add column is_sellable boolean not null default true,
        add column regular_price jsonb;
    `)
    this.addSql(`
      update variants set is_sellable = false
      from products
      where products.id = variants.product_id and not products.is_active;
    `)
    this.addSql('create index variants_switched_off on variants (id) where not is_sellable')
    this.addSql(`
      update stock set version = version + 1
      where variant_id in (select id from variants where not is_sellable);
    `)
  }
}
