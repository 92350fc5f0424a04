import { Migration } from '@mikro-orm/migrations'

/** Keeps with credentials that the platform refused to renew them. */
export class RefreshRefusals extends Migration {
  override up (): void {
    this.addSql('alter table integration_credentials add column refresh_refusal jsonb')
  }
}
