import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { hub } from '../../hub/hub.ts'
import { countOf } from '../../rules/counts.ts'
import { addressLine } from '../../rules/order-lines.ts'
import { canForget } from '../../rules/order-states.ts'
import { Action } from '../../show/action.tsx'
import { Facts } from '../../show/facts.tsx'
import { Section } from '../../show/page.tsx'
import { Ago } from '../../show/time.tsx'
import type { Order } from '../order.tsx'

type Removal = Schemas['PersonalDataRemoval']

/** The data of the buyer, folded: nobody needs them to see where an order is. */
export function Buyer ({ order }: { order: Order }): JSX.Element {
  const { id, status, personalDataRemovedAt, snapshot: { buyer, shipping: { address }, invoiceAddress, comment } } =
    order
  return (
    <Section title='Buyer' actions={canForget(status, personalDataRemovedAt) && <Forget id={id} />}>
      {personalDataRemovedAt !== null
        ? (
          <p>
            The data of the buyer were removed <Ago at={personalDataRemovedAt} />.
          </p>
        )
        : (
          <details>
            <summary>Show the data of the buyer</summary>
            <Facts
              of={[
                ['Email', buyer.email],
                ['Delivered to', address && addressLine(address)],
                ['Phone', address?.phone],
                ['Invoice to', invoiceAddress && addressLine(invoiceAddress)],
                ['Comment', comment]
              ]}
            />
          </details>
        )}
    </Section>
  )
}

function Forget ({ id }: { id: string }): JSX.Element {
  const path = { id }
  return (
    <Action<Removal>
      label='Remove the data'
      scope='admin'
      title='Remove the data of the buyer'
      isGrave
      plan={async () => hub.delete('/orders/{id}/personal-data', { path, query: { dryRun: true } })}
      blocked={plan => plan?.obstacles.map(({ message }) => message).join(' ') || undefined}
      run={async () => {
        await hub.delete('/orders/{id}/personal-data', { path, query: { dryRun: false } })
        return { text: 'The data of the buyer are removed.' }
      }}
      cli={`linker orders forget ${id}`}
      call={{ method: 'DELETE', path: `/orders/${id}/personal-data` }}
    >
      {({ removed }) => (
        <>
          <p>
            Nobody can bring them back. Ids, quantities, prices and states of the order stay.
          </p>
          <Facts of={removed.map(({ what, count }) => [what, countOf(count, 'place')])} />
        </>
      )}
    </Action>
  )
}
