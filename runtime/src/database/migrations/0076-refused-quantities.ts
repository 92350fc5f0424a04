import { Migration } from '@mikro-orm/migrations'

/** Adds the index that counts the offers of which a marketplace refused the quantity. */
export class RefusedQuantities extends Migration {
  override up (): void {
    this.addSql(`
      create index offers_refused on offers (connection_id)
        where problems @> '[{"code": "quantity-refused"}]'::jsonb;
    `)
  }
}
