import type { JSX } from 'preact'
import { LinkOffer } from '../../form/link-offer.tsx'
import type { Connections } from '../../hub/connections.ts'
import { hub, toPage } from '../../hub/hub.ts'
import { useRows } from '../../hub/live.ts'
import { addressOf } from '../../rules/addresses.ts'
import { Filters, useFilter, type FilterField } from '../../show/filters.tsx'
import { Empty } from '../../show/loaded.tsx'
import { State } from '../../show/state.tsx'
import { LiveTable } from '../../show/table.tsx'
import { Ago } from '../../show/time.tsx'
import { ToConnection } from '../../show/to-connection.tsx'
import { LinkCertain } from './link-certain.tsx'

type Name = 'connectionId' | 'externalId' | 'sku' | 'ean'

/** The offers that a marketplace shows and that follow no stock. */
export function Unlinked ({ connections }: { connections: Connections }): JSX.Element {
  const marketplaces = connections.having('OfferManager', 'Marketplace')
  const fields: readonly FilterField<Name>[] = [
    { name: 'connectionId', label: 'Marketplace', choices: marketplaces.map(({ id, name }) => [id, name]) },
    { name: 'externalId', label: 'Id at the marketplace' },
    { name: 'sku', label: 'SKU' },
    { name: 'ean', label: 'EAN' }
  ]
  const filter = useFilter(fields)
  const { connectionId } = filter
  const live = useRows(
    async (cursor, signal) =>
      toPage(await hub.request('get', '/offers/unlinked', { query: { ...filter as object, cursor }, signal })),
    [JSON.stringify(filter)]
  )
  return (
    <>
      <Filters fields={fields} keeps={['view']} />
      {connectionId === undefined
        ? marketplaces.length > 0 && <p class='muted aside'>Choose a marketplace to link all certain offers at once.</p>
        : <LinkCertain connectionId={connectionId} name={connections.nameOf(connectionId)} />}
      <section class='card'>
        <LiveTable
          live={live}
          caption='Offers that are linked to no variant'
          keyOf={({ id }) => id}
          hrefOf={({ id }) => addressOf.offer(id)}
          columns={[
            { head: 'Title', cell: ({ title, externalId }) => title ?? externalId },
            { head: 'Offer', cell: ({ externalId }) => <code>{externalId}</code> },
            { head: 'SKU', cell: ({ sku }) => sku ?? '' },
            { head: 'EAN', cell: ({ ean }) => ean ?? '' },
            { head: 'Marketplace', cell: offer => <ToConnection id={offer.connectionId} of={connections} /> },
            { head: 'Status', cell: ({ status }) => <State name={status} /> },
            { head: 'Shown', cell: ({ quantity }) => quantity ?? '?', isNumber: true },
            { head: 'Seen', cell: ({ seenAt }) => <Ago at={seenAt} /> },
            {
              head: 'Link',
              cell: ({ title, ...offer }) => (
                <LinkOffer connectionId={offer.connectionId} externalId={offer.externalId} hint={title ?? ''} />
              )
            }
          ]}
          empty={Object.keys(filter).length > 0
            ? <Empty>No unlinked offer meets this filter.</Empty>
            : (
              <Empty>
                Every offer that the marketplaces show is linked, as far as the hub has read them. It reads them every
                hour, and when you compare the stock.
              </Empty>
            )}
        />
      </section>
    </>
  )
}
