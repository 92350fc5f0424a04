import type { JSX } from 'preact'
import { Section } from '../../show/page.tsx'
import { Table } from '../../show/table.tsx'
import type { Order } from '../order.tsx'

/** What the marketplace changed and the shop does not have. */
export function Changes ({ order: { changes } }: { order: Order }): JSX.Element | null {
  if (changes.length === 0) return null
  return (
    <Section title='Changed since the shop got it'>
      <Table
        caption='What the order in the shop and the order at the marketplace say'
        rows={changes}
        keyOf={({ what, atMarketplace }) => `${what} ${atMarketplace ?? ''}`}
        columns={[
          { head: 'What', cell: ({ what }) => what },
          { head: 'In the shop', cell: ({ inShop }) => inShop ?? 'none' },
          { head: 'At the marketplace', cell: ({ atMarketplace }) => atMarketplace ?? 'none' }
        ]}
        empty='The shop has the order as it is at the marketplace.'
      />
    </Section>
  )
}
