import { Migration } from '@mikro-orm/migrations'

/**
 * Gives stored orders a payment in place of the flag of cash on delivery. An order of before counts
 * as paid unless it waits for its payment: the hub made shop orders of no others.
 */
export class OrderPayments extends Migration {
  override up (): void {
    this.addSql(`
      update orders
      set snapshot = (orders.snapshot #- '{shipping,cashOnDelivery}') || jsonb_build_object(
        'payment',
        jsonb_build_object(
          'method', case when found.is_cash then 'cash-on-delivery' else 'prepaid' end,
          'paid', jsonb_build_object(
            'amount', case
              when found.is_cash or orders.snapshot ->> 'status' = 'pending' then '0.00'
              else orders.snapshot #>> '{total,amount}'
            end,
            'currency', orders.snapshot #>> '{total,currency}'
          )
        )
      )
      from (
        select id, coalesce((snapshot #>> '{shipping,cashOnDelivery}')::boolean, false) as is_cash
        from orders
      ) as found
      where found.id = orders.id and not orders.snapshot ? 'payment';
    `)
  }
}
