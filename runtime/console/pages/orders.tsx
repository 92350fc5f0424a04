import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useConnections } from '../hub/connections.ts'
import { hub, toPage } from '../hub/hub.ts'
import { useRows } from '../hub/live.ts'
import { addressOf } from '../rules/addresses.ts'
import { firstOf, orderProblems, orderStatuses, toneOfOrder } from '../rules/order-states.ts'
import { Filters, useFilter, type FilterField } from '../show/filters.tsx'
import { Empty } from '../show/loaded.tsx'
import { Page } from '../show/page.tsx'
import { State } from '../show/state.tsx'
import { LiveTable } from '../show/table.tsx'
import { Ago } from '../show/time.tsx'
import { ToConnection } from '../show/to-connection.tsx'
import { RetryOrders } from './orders/retry-orders.tsx'

const inTheShop = ({ destination, handledElsewhere }: Schemas['OrderSummary']): string =>
  destination?.externalId ?? handledElsewhere ?? ''

type Name = 'status' | 'problem' | 'connectionId' | 'externalId' | 'since'

/** The orders of the marketplaces, the newest first. */
export default function OrdersPage (): JSX.Element {
  const connections = useConnections()
  const sources = connections.having('OrderSource', 'Marketplace')
  const fields: readonly FilterField<Name>[] = [
    { name: 'externalId', label: 'Id at the marketplace' },
    { name: 'status', label: 'Status', choices: orderStatuses },
    { name: 'problem', label: 'Problem', choices: orderProblems },
    { name: 'connectionId', label: 'Marketplace', choices: sources.map(({ id, name }) => [id, name]) }
  ]
  const filter = useFilter([...fields, { name: 'since', label: 'Since' }])
  const live = useRows(
    async (cursor, signal) =>
      toPage(await hub.request('get', '/orders', {
        query: { ...filter as object, newestFirst: true, cursor },
        signal
      })),
    [JSON.stringify(filter)]
  )
  return (
    <Page
      title='Orders'
      lead='Where is an order, and what blocks it?'
      actions={<RetryOrders filter={filter} connections={connections} />}
    >
      <Filters fields={fields} />
      <section class='card'>
        <LiveTable
          live={live}
          caption='Orders, the newest first'
          keyOf={({ id }) => id}
          hrefOf={({ id }) => addressOf.order(id)}
          columns={[
            { head: 'Order', cell: ({ externalId }) => externalId },
            {
              head: 'Status',
              cell: ({ status, problems }) => <State name={status} tone={toneOfOrder(status, problems)} />
            },
            { head: 'Marketplace', cell: ({ connectionId }) => <ToConnection id={connectionId} of={connections} /> },
            { head: 'Total', cell: ({ total }) => `${total.amount} ${total.currency}`, isNumber: true },
            { head: 'In the shop', cell: inTheShop },
            { head: 'Tracking', cell: ({ tracking }) => tracking?.number ?? '' },
            { head: 'Problems', cell: ({ problems }) => firstOf(problems) },
            { head: 'Placed', cell: ({ placedAt }) => <Ago at={placedAt} /> }
          ]}
          empty={Object.keys(filter).length > 0
            ? <Empty>No order meets this filter.</Empty>
            : (
              <Empty action={<a class='button' href='/console/connections'>Connections</a>}>
                No orders yet. The hub asks each marketplace for new orders regularly; its connection shows when it last
                did.
              </Empty>
            )}
        />
      </section>
    </Page>
  )
}
