import { isoOf } from '../../database/iso-of.ts'

/** SQL: the marketplace does not know yet that the order was shipped, or is over. */
const isOpenThere = "orders.source_status not in ('shipped', 'delivered', 'cancelled', 'returned', 'gone')"

export const updateToUntold = `
  update orders set
    untold_setting = $2,
    untold_at = coalesce(untold_at, now())
  where id = $1`

// A connection whose config has the member was decided about by a person.
export const countUntold = `
  select
    given.id as "connectionId", counted.setting, counted.count, ${isoOf('counted.since')} as since
  from unnest($1::uuid[]) as given (id)
  join connections on connections.id = given.id
  cross join lateral (
    select few.untold_setting as setting, count(*)::integer as count, min(few.untold_at) as since
    from (
      select orders.untold_setting, orders.untold_at
      from orders
      where orders.connection_id = given.id
        and orders.untold_setting is not null
        and not jsonb_exists(connections.config, orders.untold_setting)
        and ${isOpenThere}
      order by orders.untold_at
      limit $2
    ) as few
    group by few.untold_setting
  ) as counted`

/** Takes orders whose setting is on now. `$2`: how many at most. */
export const takeTellable = `
  with tellable as (
    select orders.id
    from orders
    join connections on connections.id = orders.connection_id
    where orders.connection_id = $1
      and orders.untold_setting is not null
      and connections.config -> orders.untold_setting = 'true'::jsonb
    order by orders.untold_at
    limit $2
    for update of orders skip locked
  )
  update orders set untold_setting = null, untold_at = null
  from tellable
  where orders.id = tellable.id
  returning orders.id, orders.connection_id as "connectionId", orders.status,
    orders.tracking is not null as "hasTracking", ${isOpenThere} as "isOpenThere"`
