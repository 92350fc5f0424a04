import { Migration } from '@mikro-orm/migrations'

/**
 * Gives each problem of orders and offers a code. Until now problems were texts, and the hub
 * recognised its own by their beginnings.
 */
export class ProblemCodes extends Migration {
  override up (): void {
    this.addSql(`
      update orders set problems = (
        select jsonb_agg(
          jsonb_build_object(
            'code',
            case
              when problem ^@ 'orders ''' and problem like '% have lines in common%' then 'shared-lines'
              when problem ^@ 'it is not made in the shop, which has order ' then 'held-back'
              when problem ^@ 'no variant is linked to offer ' then 'unmapped'
              when problem ^@ 'line ' and problem like '% names no offer' then 'unmapped'
              when problem = 'the marketplace does not know it any more' then 'gone'
              when problem ^@ 'the marketplace was not told its parcel' then 'tracking-not-told'
              when problem ^@ 'the marketplace was not told that it is processing' then 'processing-not-told'
              when problem ^@ 'the marketplace was not told that it is shipped' then 'shipped-not-told'
              when problem ^@ 'the marketplace was not told that it is delivered' then 'delivered-not-told'
              when problem ^@ 'the marketplace was not told that it is cancelled' then 'cancelled-not-told'
              when problem ^@ 'the marketplace was not told that it is ' then 'status-not-told'
              when problem ^@ 'it was not cancelled in the shop' then 'not-cancelled-in-shop'
              when problem ^@ 'the shop does not cancel it' then 'cancellation-refused'
              when problem ^@ 'it was cancelled in the shop, not at the marketplace' then 'cancelled-in-shop-only'
              when problem ^@ 'the shop was not told its parcel' then 'tracking-not-told-to-shop'
              when problem ^@ 'the carrier made no label: ' then 'parcel-not-made'
              when problem ^@ 'the parcel was not cancelled: ' then 'parcel-not-cancelled'
              when problem ^@ 'the carrier does not cancel the parcel: ' then 'parcel-cancellation-refused'
              when problem like '%: the label waits for it' then 'routing'
              when problem like '%: no label is made' then 'routing'
              when orders.status = 'failed' then 'not-created'
              else 'shop-reported'
            end,
            'detail',
            problem
          )
          order by position
        )
        from jsonb_array_elements_text(orders.problems) with ordinality as noted (problem, position)
      )
      where problems <> '[]';

      update offers set problems = (
        select jsonb_agg(
          jsonb_build_object(
            'code',
            case
              when problem ^@ 'the marketplace refused the quantity: ' then 'quantity-refused'
              when problem ^@ 'it was not looked up at the marketplace: ' then 'not-looked-up'
              when problem ^@ 'the quantity was not written: ' then 'quantity-not-written'
              when problem ^@ 'the change was not written: ' then 'change-not-written'
              when problem ^@ 'it was not ended: ' then 'not-ended'
              when problem = 'the marketplace accepted it and never showed it' then 'never-shown'
              when problem = 'the marketplace does not know it any more' then 'unknown-at-marketplace'
              when offers.status = 'FAILED' then 'not-created'
              else 'marketplace'
            end,
            'detail',
            problem
          )
          order by position
        )
        from jsonb_array_elements_text(offers.problems) with ordinality as noted (problem, position)
      )
      where problems <> '[]';
    `)
  }
}
