import { Migration } from '@mikro-orm/migrations'

/**
 * Keeps with an order which setting kept the hub from telling the marketplace that it was shipped.
 * The results of the jobs that are kept say it of the orders of the last days.
 */
export class UntoldOrders extends Migration {
  override up (): void {
    this.addSql(`
      alter table orders
        add column untold_setting text,
        add column untold_at timestamptz;

      update orders set untold_setting = untold.setting, untold_at = untold.at
      from (
        select
          payload ->> 'orderId' as order_id,
          max(substring(result ->> 'skipped' from '^config\\.([A-Za-z0-9_]+) is off$')) as setting,
          min(created_at) as at
        from jobs
        where job_type like 'marketplace.order.%'
          and result ->> 'skipped' ~ '^config\\.[A-Za-z0-9_]+ is off$'
          -- A job without a status told the tracking number.
          and coalesce(payload ->> 'status', 'shipped') in ('shipped', 'delivered')
        group by 1
      ) as untold
      where orders.id::text = untold.order_id;

      create index orders_untold on orders (connection_id, untold_at) where untold_setting is not null;
    `)
  }
}
