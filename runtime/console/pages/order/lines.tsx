import type { JSX } from 'preact'
import { LinkOffer } from '../../form/link-offer.tsx'
import { addressOf } from '../../rules/addresses.ts'
import { linesOf, type OrderLine } from '../../rules/order-lines.ts'
import { Section } from '../../show/page.tsx'
import { State } from '../../show/state.tsx'
import { Table } from '../../show/table.tsx'
import type { Order } from '../order.tsx'

/** The lines of an order, each with its variant or with a button that links its offer to one. */
export function Lines ({ order }: { order: Order }): JSX.Element {
  return (
    <Section title='Lines'>
      <Table
        caption='Lines of the order and their variants'
        rows={linesOf(order)}
        keyOf={({ externalId }) => externalId}
        columns={[
          { head: 'Name', cell: ({ name }) => name },
          { head: 'Offer', cell: ({ offerExternalId }) => <code>{offerExternalId ?? 'none'}</code> },
          { head: 'Pieces', cell: ({ quantity }) => quantity, isNumber: true },
          { head: 'Price each', cell: ({ price }) => price, isNumber: true },
          { head: 'Variant', cell: line => <VariantOf line={line} connectionId={order.connectionId} /> }
        ]}
        empty='The order has no lines.'
      />
    </Section>
  )
}

function VariantOf ({ line: { variantId, offerExternalId, name }, connectionId }: {
  line: OrderLine,
  connectionId: string
}): JSX.Element {
  if (variantId !== null) {
    return (
      <a href={addressOf.variant(variantId)}>{name === '' ? `variant ${variantId.slice(0, 8)}` : `stock of ${name}`}</a>
    )
  }
  if (offerExternalId === null) return <State name='no variant' tone='warn' />
  return (
    <span class='actions'>
      <State name='no variant' tone='warn' />
      <LinkOffer
        connectionId={connectionId}
        externalId={offerExternalId}
        hint={name}
        isPrimary
        follows='The order goes on by itself.'
      />
    </span>
  )
}
