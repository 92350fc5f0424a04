import { Migration } from '@mikro-orm/migrations'

/** Keeps the tax that the price of a variant includes, in percent. */
export class TaxRates extends Migration {
  override up (): void {
    this.addSql('alter table variants add column tax_rate text')
  }
}
