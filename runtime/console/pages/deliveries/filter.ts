import type { Connection } from '../../hub/connections.ts'
import { deliveryStatuses, type DeliveryStatus } from '../../rules/deliveries.ts'
import type { Filter } from '../../rules/filters.ts'
import { pastForms, timeOf } from '../../rules/past.ts'
import type { FilterField } from '../../show/filters.tsx'

const always = ['status', 'connectionId', 'eventType', 'since'] as const
const others = ['until', 'eventId', 'provider', 'replayed'] as const
export const filterNames = [...always, ...others]
export type FilterName = (typeof filterNames)[number]

/** The fields of the filter. Rare ones are shown when the address has them, or on request. */
export function fieldsOf (
  connections: readonly Connection[],
  shows: (name: FilterName) => boolean
): FilterField<FilterName>[] {
  const rare: FilterField<FilterName>[] = [
    { name: 'until', label: 'Recorded before', placeholder: pastForms },
    { name: 'eventId', label: 'Event id' },
    { name: 'provider', label: 'Platform' },
    { name: 'replayed', label: 'Replayed', choices: [['true', 'yes'], ['false', 'no']] }
  ]
  return [
    { name: 'status', label: 'Status of the job', choices: deliveryStatuses.map(status => [status, status] as const) },
    { name: 'connectionId', label: 'Connection', choices: connections.map(({ id, name }) => [id, name] as const) },
    { name: 'eventType', label: 'Event', placeholder: 'stock.changed' },
    { name: 'since', label: 'Recorded since', placeholder: pastForms },
    ...rare.filter(({ name }) => shows(name))
  ]
}

/** The filter as the API takes it. */
export function toApi ({ status, since, until, replayed, ...more }: Filter<FilterName>, nowMs: number) {
  return {
    ...more,
    status: status as DeliveryStatus | undefined,
    replayed: replayed === undefined ? undefined : replayed === 'true',
    since: timeOf(since, nowMs),
    until: timeOf(until, nowMs)
  }
}
