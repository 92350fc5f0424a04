import type { Connection } from '../../hub/connections.ts'
import { jobStatuses } from '../../rules/jobs.ts'
import { pastForms } from '../../rules/past.ts'
import type { FilterField } from '../../show/filters.tsx'

const always = ['status', 'connectionId', 'jobType', 'code', 'since'] as const
const others = ['until', 'requestId', 'objectKey', 'offerId', 'orderId'] as const
export const filterNames = [...always, ...others]
export type FilterName = (typeof filterNames)[number]

/** The fields of the filter. Rare ones are shown when the address has them, or on request. */
export function fieldsOf (
  connections: readonly Connection[],
  shows: (name: FilterName) => boolean
): FilterField<FilterName>[] {
  const rare: FilterField<FilterName>[] = [
    { name: 'until', label: 'Made before', placeholder: pastForms },
    { name: 'requestId', label: 'Request id' },
    { name: 'objectKey', label: 'Object key' },
    { name: 'offerId', label: 'Offer id' },
    { name: 'orderId', label: 'Order id' }
  ]
  return [
    { name: 'status', label: 'Status', choices: jobStatuses.map(status => [status, status] as const) },
    { name: 'connectionId', label: 'Connection', choices: connections.map(({ id, name }) => [id, name] as const) },
    { name: 'jobType', label: 'Type', placeholder: 'master.order.create' },
    { name: 'code', label: 'Code', placeholder: 'LNK_…' },
    { name: 'since', label: 'Made since', placeholder: pastForms },
    ...rare.filter(({ name }) => shows(name))
  ]
}
