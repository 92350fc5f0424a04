import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useLocation } from 'preact-iso/router'
import { useConnections, type Connections } from '../hub/connections.ts'
import { hub, toPage } from '../hub/hub.ts'
import { useRows } from '../hub/live.ts'
import { addressOf } from '../rules/addresses.ts'
import { isAmiss, offerLine, quantityText, standingOf } from '../rules/stock-rows.ts'
import { Filters, useFilter, type FilterField } from '../show/filters.tsx'
import { Icon } from '../show/icon.tsx'
import { Empty } from '../show/loaded.tsx'
import { Page } from '../show/page.tsx'
import { LiveTable } from '../show/table.tsx'
import { Compare } from './stock/compare.tsx'
import { StockTabs } from './stock/tabs.tsx'

type Name = 'q' | 'connectionId' | 'drift' | 'jumped'
type StockOffer = Schemas['Stock']['offers'][number]

const nothing = {
  drift: 'Every offer was written with the quantity that it should show, and shows it as far as the hub knows.',
  jumped: 'No stock has jumped. The setting “Confirm a jump of stock” of a shop says when one waits for you.',
  stock: 'No variant meets this filter.'
}

/** The stock of the variants, and the quantities of their offers. */
export default function StockPage (): JSX.Element {
  const { query } = useLocation()
  const connections = useConnections()
  const fields: readonly FilterField<Name>[] = [
    { name: 'q', label: 'Search', placeholder: 'SKU, EAN, name' },
    {
      name: 'connectionId',
      label: 'Shop or marketplace',
      choices: connections.having('InventoryMaster', 'OfferManager', 'Marketplace').map(({ id, name }) => [id, name])
    }
  ]
  // The tab says whether only what differs, or has jumped, is shown.
  const filter = useFilter<Name>([...fields, { name: 'drift', label: 'Drift' }, { name: 'jumped', label: 'Jumps' }])
  const isJumped = filter.jumped === 'true'
  const unfiltered = isJumped ? 'jumped' : 'stock'
  const tab = filter.drift === 'true' ? 'drift' : unfiltered
  const live = useRows(
    async (cursor, signal) =>
      toPage(await hub.request('get', '/stock', {
        query: {
          ...filter,
          drift: filter.drift === 'true' ? true : undefined,
          jumped: isJumped ? true : undefined,
          cursor
        },
        signal
      })),
    [JSON.stringify(filter)]
  )
  return (
    <Page title='Stock' lead='What differs between the shop and the marketplaces, and where could you oversell?'>
      <StockTabs current={tab} />
      <Filters fields={fields} keeps={['drift', 'jumped']} />
      {(filter.drift === 'true' || query.compare !== undefined) && (
        <Compare connections={connections} chosen={query.compare ?? filter.connectionId} />
      )}
      <section class='card'>
        <LiveTable
          live={live}
          caption='Variants and the quantities of their offers'
          keyOf={({ variantId }) => variantId}
          hrefOf={({ variantId }) => addressOf.variant(variantId)}
          columns={[
            { head: 'Variant', cell: ({ name, sku, variantId }) => name ?? sku ?? variantId },
            { head: 'SKU', cell: ({ sku }) => sku ?? '' },
            { head: 'In the shop', cell: quantityText, isNumber: true },
            { head: 'Reserved', cell: ({ reserved }) => reserved, isNumber: true },
            { head: 'Offers', cell: ({ offers }) => <OffersOf offers={offers} connections={connections} /> }
          ]}
          empty={Object.keys(filter).length === 0
            ? (
              <Empty action={<a class='button' href='/console/connections'>Connections</a>}>
                The hub has read no stock yet. Connecting a shop starts the first sweep.
              </Empty>
            )
            : (
              <Empty>
                {nothing[tab]}
              </Empty>
            )}
        />
      </section>
    </Page>
  )
}

function OffersOf ({ offers, connections }: {
  offers: readonly StockOffer[],
  connections: Connections
}): JSX.Element {
  if (offers.length === 0) return <span class='muted'>not on sale</span>
  return (
    <ul>
      {offers.map(offer => {
        const standing = standingOf(offer)
        return (
          <li key={offer.offerId}>
            <a href={addressOf.offer(offer.offerId)}>{connections.nameOf(offer.connectionId)}</a>{' '}
            <span class={isAmiss(standing) ? 'warn-text' : 'muted'}>
              {isAmiss(standing) && (
                <>
                  <Icon name='warning' /> {standing}:{' '}
                </>
              )}
              {offerLine(offer)}
            </span>
            {offer.warnings.map(({ code, message }) => (
              <span key={code} class='warn-text'>
                {' '}
                <Icon name='warning' /> {message}
              </span>
            ))}
          </li>
        )
      })}
    </ul>
  )
}
