import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useRoute } from 'preact-iso/router'
import { useConnections, type Connections } from '../hub/connections.ts'
import { hub } from '../hub/hub.ts'
import { useLive } from '../hub/live.ts'
import { addressOf } from '../rules/addresses.ts'
import { isAmiss, quantityText, standingOf, type Standing } from '../rules/stock-rows.ts'
import { Facts } from '../show/facts.tsx'
import { Empty, Loaded } from '../show/loaded.tsx'
import { Page, Section } from '../show/page.tsx'
import { State } from '../show/state.tsx'
import { Table } from '../show/table.tsx'
import { Ago } from '../show/time.tsx'
import { ConfirmStock } from './stock/confirm.tsx'

interface Known {
  variant: Schemas['Variant']
  stock: Schemas['Stock'] | undefined
}

/** A variant of a shop: its stock, and the offers that show it. */
export default function VariantPage (): JSX.Element {
  const { params: { id = '' } } = useRoute()
  const connections = useConnections()
  const live = useLive(signal => readKnown(id, signal), [id])
  const { data } = live
  return (
    <Page
      title={data === undefined ? 'Variant' : data.stock?.name ?? data.variant.name ?? data.variant.externalId}
      lead='How many pieces does the shop have, and who shows how many?'
      above={[['Stock', '/console/stock']]}
    >
      <Loaded live={live}>
        {({ variant, stock }) => (
          <>
            <Section title='Variant'>
              <Facts
                of={[
                  ['SKU', variant.sku],
                  ['EAN', variant.ean],
                  ['Id in the shop', <code key='external'>{variant.externalId}</code>],
                  ['Price in the shop', variant.price !== null && `${variant.price.amount} ${variant.price.currency}`],
                  [
                    'Missing in the shop',
                    variant.missingSince !== null && <Ago key='gone' at={variant.missingSince} />
                  ],
                  ['Id', <code key='id'>{variant.id}</code>]
                ]}
              />
            </Section>
            {stock === undefined
              ? (
                <Section title='Stock'>
                  <Empty>The hub has not read the stock of this variant yet.</Empty>
                </Section>
              )
              : <StockOf stock={stock} connections={connections} />}
          </>
        )}
      </Loaded>
    </Page>
  )
}

async function readKnown (id: string, signal: AbortSignal): Promise<Known> {
  const [variant, [stock]] = await Promise.all([
    hub.get('/variants/{id}', { path: { id }, signal }),
    hub.get('/stock', { query: { variantId: id }, signal })
  ])
  return { variant, stock }
}

function StockOf ({ stock, connections }: { stock: Schemas['Stock'], connections: Connections }): JSX.Element {
  return (
    <>
      <Section title='Stock' actions={stock.confirmedQuantity !== null && <ConfirmStock stock={stock} />}>
        <Facts
          of={[
            ['In the shop', quantityText(stock)],
            ['Jumped', stock.jumpedAt !== null && <Ago key='jumped' at={stock.jumpedAt} />],
            ['Reserved by orders', stock.reserved],
            ['Shares its stock', stock.sharedStockId !== null && 'with other variants'],
            ['Changes so far', stock.version],
            ['Last change', <Ago key='changed' at={stock.updatedAt} />]
          ]}
        />
      </Section>
      <Section title='Offers'>
        <Table
          caption='Offers that follow this stock'
          rows={stock.offers}
          keyOf={({ offerId }) => offerId}
          hrefOf={({ offerId }) => addressOf.offer(offerId)}
          columns={[
            { head: 'Offer at', cell: ({ connectionId }) => connections.nameOf(connectionId) },
            { head: 'Wanted', cell: ({ wantedQuantity }) => wantedQuantity, isNumber: true },
            { head: 'Written', cell: ({ sentQuantity }) => sentQuantity ?? 'never', isNumber: true },
            { head: 'Shown', cell: ({ upstreamQuantity }) => upstreamQuantity ?? 'not read yet', isNumber: true },
            { head: 'State', cell: offer => <Stands offer={offer} /> },
            { head: 'Warnings', cell: ({ warnings }) => warnings.map(({ message }) => message).join(' ') }
          ]}
          empty={
            <Empty action={<a class='button' href='/console/offers?view=unlinked'>Unlinked offers</a>}>
              No offer shows this variant. Link one that a marketplace has.
            </Empty>
          }
        />
      </Section>
    </>
  )
}

function Stands ({ offer }: { offer: Schemas['Stock']['offers'][number] }): JSX.Element {
  const standing = standingOf(offer)
  return <State name={standing} tone={toneOf(standing)} />
}

function toneOf (standing: Standing): 'good' | 'info' | 'warn' {
  if (isAmiss(standing)) return 'warn'
  return standing === 'in step' ? 'good' : 'info'
}
