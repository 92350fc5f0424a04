import { Migration } from '@mikro-orm/migrations'

/** Keeps with jobs since when the platform has been away that they need. */
export class UnavailablePlatforms extends Migration {
  override up (): void {
    this.addSql('alter table jobs add column unavailable_since timestamptz')
  }
}
