import type { JSX } from 'preact'
import type { Connections } from '../../hub/connections.ts'
import { hub } from '../../hub/hub.ts'
import { useLive } from '../../hub/live.ts'
import { safeLink } from '../../rules/links.ts'
import { Facts } from '../../show/facts.tsx'
import { Section } from '../../show/page.tsx'
import { State } from '../../show/state.tsx'
import { ToConnection } from '../../show/to-connection.tsx'
import type { Order } from '../order.tsx'

/** Who dispatches the order, its parcel and its label. */
export function Parcel ({ order, connections }: { order: Order, connections: Connections }): JSX.Element {
  const { id, snapshot: { shipping }, tracking, history } = order
  const routed = history.findLast(({ event }) => event === 'routed')?.detail
  // Only an order that a carrier of the hub dispatches has a parcel; browsers log each 404.
  const hasParcel = routed?.processorConnectionId !== undefined
  const { data: shipment } = useLive(
    async signal => hasParcel ? hub.get('/orders/{id}/shipment', { path: { id }, signal }) : null,
    [id, hasParcel]
  )
  const link = safeLink(tracking?.url)
  return (
    <Section title='Parcel'>
      <Facts
        of={[
          ['Delivery method', shipping.methodName ?? shipping.methodId],
          ['Route', typeof routed?.explanation === 'string' && routed.explanation],
          [
            'Carrier',
            shipment && <ToConnection key='carrier' id={shipment.connectionId} of={connections} />
          ],
          ['Parcel', shipment && <State key='parcel' name={shipment.status} />],
          ['Problem of the parcel', shipment?.problem],
          ['Tracking', tracking === null ? 'none yet' : `${tracking.carrier} ${tracking.number}`],
          [
            'Follow it',
            link && (
              <a key='link' href={link.href} target='_blank' rel='noreferrer noopener'>
                {link.host}
              </a>
            )
          ],
          [
            'Label',
            shipment?.status === 'created' && (
              <a key='label' href={`/orders/${id}/label`} download>
                Download the label
              </a>
            )
          ]
        ]}
      />
    </Section>
  )
}
