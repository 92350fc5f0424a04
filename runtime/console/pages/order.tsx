import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useRoute } from 'preact-iso/router'
import { useConnections } from '../hub/connections.ts'
import { hub } from '../hub/hub.ts'
import { useLive } from '../hub/live.ts'
import { describeDetail, toneOfOrder, waitsFor } from '../rules/order-states.ts'
import { Facts } from '../show/facts.tsx'
import { Icon } from '../show/icon.tsx'
import { Loaded } from '../show/loaded.tsx'
import { Page, Section } from '../show/page.tsx'
import { SentJobs } from '../show/sent-jobs.tsx'
import { State } from '../show/state.tsx'
import { Table } from '../show/table.tsx'
import { Ago, At } from '../show/time.tsx'
import { ToConnection } from '../show/to-connection.tsx'
import { OrderActions } from './order/actions.tsx'
import { Buyer } from './order/buyer.tsx'
import { Changes } from './order/changes.tsx'
import { Lines } from './order/lines.tsx'
import { Parcel } from './order/parcel.tsx'
import { Payment } from './order/payment.tsx'
import { Rail } from './order/rail.tsx'

export type Order = Schemas['Order']

/** Where an order is, and what blocks it. */
export default function OrderPage (): JSX.Element {
  const { params: { id = '' } } = useRoute()
  const connections = useConnections()
  const live = useLive(signal => hub.get('/orders/{id}', { path: { id }, signal }), [id])
  const { data: order } = live
  return (
    <Page
      title={order === undefined ? 'Order' : `Order ${order.externalId}`}
      lead={order === undefined
        ? 'Where is it, and what blocks it?'
        : (
          <>
            {order.total.amount} {order.total.currency} at{' '}
            <ToConnection id={order.connectionId} of={connections} />, placed <Ago at={order.placedAt} />
          </>
        )}
      above={[['Orders', '/console/orders']]}
      actions={order !== undefined && <OrderActions order={order} />}
    >
      <Loaded live={live}>
        {found => (
          <>
            <Rail status={found.status} problems={found.problems} />
            <Blocked order={found} />
            <Changes order={found} />
            <Lines order={found} />
            <Section title='In the shop'>
              <Facts
                of={[
                  [
                    'Shop',
                    found.destination === null
                      ? 'none is chosen yet'
                      : <ToConnection key='shop' id={found.destination.connectionId} of={connections} />
                  ],
                  ['Order there', found.destination?.externalId ?? found.handledElsewhere ?? 'not made yet'],
                  ['Status there', found.destination?.status],
                  [
                    'Status at the marketplace',
                    [found.sourceStatus, found.upstreamStatus].filter(Boolean).join(', ')
                  ],
                  ['Reserved pieces', found.reserved],
                  ['First read', <At key='read' at={found.createdAt} />]
                ]}
              />
            </Section>
            <Payment order={found} />
            <Parcel order={found} connections={connections} />
            <Section title='History'>
              <Table
                caption='What the hub did with the order'
                rows={found.history}
                keyOf={({ at, event }) => `${at} ${event}`}
                columns={[
                  { head: 'Event', cell: ({ event }) => event },
                  { head: 'Detail', cell: ({ detail }) => describeDetail(detail) },
                  { head: 'Time', cell: ({ at }) => <Ago at={at} /> }
                ]}
                empty='Nothing is written down about this order.'
              />
            </Section>
            <SentJobs
              of={{ orderId: found.id }}
              caption='Jobs about this order, the newest first'
              empty='The hub has told no shop, marketplace or carrier about this order yet.'
            />
            <Buyer order={found} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Blocked ({ order }: { order: Order }): JSX.Element | null {
  const waiting = waitsFor(order)
  if (waiting === undefined && order.problems.length === 0) return null
  const tone = toneOfOrder(order.status, order.problems)
  return (
    <section class={`card verdict ${tone}`} aria-label='What blocks it'>
      <p class='says'>
        <State name={order.status} tone={tone} />
      </p>
      {waiting !== undefined && <p class='sentence'>{waiting}</p>}
      {order.problems.length > 0 && (
        <ul class='notes'>
          {order.problems.map(problem => (
            <li key={problem} class='bad-text'>
              <Icon name='error' /> {problem}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
