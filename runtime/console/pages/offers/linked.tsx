import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import type { Connections } from '../../hub/connections.ts'
import { hub, toPage } from '../../hub/hub.ts'
import { useRows } from '../../hub/live.ts'
import { addressOf } from '../../rules/addresses.ts'
import { offerProblems, offerStatuses, offerWarnings, quantitiesOf } from '../../rules/offer-list.ts'
import { Filters, useFilter, type FilterField } from '../../show/filters.tsx'
import { Icon } from '../../show/icon.tsx'
import { Empty } from '../../show/loaded.tsx'
import { State } from '../../show/state.tsx'
import { LiveTable } from '../../show/table.tsx'
import { ToConnection } from '../../show/to-connection.tsx'
import { Notes } from './notes.tsx'

type Offer = Schemas['Offer']
type Name = 'q' | 'connectionId' | 'status' | 'problem' | 'warning' | 'externalId' | 'variantId' | 'sku' | 'ean'

/** The offers that are linked to variants. */
export function Linked ({ connections }: { connections: Connections }): JSX.Element {
  const marketplaces = connections.having('OfferManager', 'Marketplace')
  const fields: readonly FilterField<Name>[] = [
    { name: 'q', label: 'Search', placeholder: 'SKU, EAN, name' },
    { name: 'connectionId', label: 'Marketplace', choices: marketplaces.map(({ id, name }) => [id, name]) },
    { name: 'status', label: 'Status', choices: offerStatuses },
    { name: 'problem', label: 'Problem', choices: offerProblems },
    { name: 'warning', label: 'Warning', choices: offerWarnings }
  ]
  const others = (['externalId', 'variantId', 'sku', 'ean'] as const).map(name => ({ name, label: name }))
  const filter = useFilter([...fields, ...others])
  const isFiltered = Object.keys(filter).length > 0
  const live = useRows(
    async (cursor, signal) =>
      toPage(await hub.request('get', '/offers', { query: { ...filter as object, cursor }, signal })),
    [JSON.stringify(filter)]
  )
  return (
    <>
      <Filters fields={fields} />
      <section class='card'>
        <LiveTable
          live={live}
          caption='Linked offers, in the order in which they were linked'
          keyOf={({ id }) => id}
          hrefOf={({ id }) => addressOf.offer(id)}
          columns={[
            { head: 'Name', cell: ({ title, variant, externalId }) => variant.name ?? title ?? externalId },
            { head: 'SKU', cell: ({ variant }) => variant.sku ?? '' },
            { head: 'Marketplace', cell: ({ connectionId }) => <ToConnection id={connectionId} of={connections} /> },
            { head: 'Status', cell: ({ status }) => <State name={status} /> },
            {
              head: 'Price',
              cell: ({ price }) => price === null ? '' : `${price.amount} ${price.currency}`,
              isNumber: true
            },
            { head: 'Written / shown', cell: offer => <Quantities offer={offer} />, isNumber: true },
            { head: 'Problems', cell: offer => <Notes offer={offer} /> },
            { head: 'Frozen', cell: ({ frozenFields }) => frozenFields.join(', ') }
          ]}
          empty={isFiltered
            ? <Empty>No linked offer meets this filter.</Empty>
            : (
              <Empty
                action={
                  <p class='actions'>
                    <a class='button' href='/console/offers?view=unlinked'>Offers without a variant</a>
                    <a class='button' href='/console/offers?view=new'>List variants</a>
                  </p>
                }
              >
                No offer is linked yet. Link the offers that a marketplace has, or list variants of the shop there.
              </Empty>
            )}
        />
      </section>
    </>
  )
}

function Quantities ({ offer }: { offer: Offer }): JSX.Element {
  const { text, isDifferent } = quantitiesOf(offer)
  return isDifferent
    ? (
      <span class='warn-text'>
        <Icon name='warning' /> {text}
      </span>
    )
    : <>{text}</>
}
