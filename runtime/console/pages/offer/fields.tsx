import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { Facts } from '../../show/facts.tsx'
import { Section } from '../../show/page.tsx'
import { State } from '../../show/state.tsx'
import { Ago } from '../../show/time.tsx'
import { Notes } from '../offers/notes.tsx'

/** The offer as the hub knows it. */
export function Fields ({ offer }: { offer: Schemas['Offer'] }): JSX.Element {
  const { status, upstreamStatus, title, price, buffer, maxListed, frozenFields, lastSyncedAt, createdAt } = offer
  return (
    <Section title='Offer'>
      <Notes offer={offer} />
      <Facts
        of={[
          ['Status', <State key='status' name={status} />],
          ['At the marketplace', upstreamStatus],
          ['Title', title ?? 'the hub wrote none'],
          ['Price', price === null ? 'the hub wrote none' : `${price.amount} ${price.currency}`],
          ['Buffer', String(buffer)],
          ['At most', maxListed === null ? 'no limit' : String(maxListed)],
          ['Frozen by the seller', frozenFields.join(', ')],
          ['Last written', <Ago key='written' at={lastSyncedAt} />],
          ['Known since', <Ago key='created' at={createdAt} />],
          ['Id', <code key='id'>{offer.id}</code>]
        ]}
      />
    </Section>
  )
}
