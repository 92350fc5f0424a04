import type { JSX } from 'preact'
import lazy from 'preact-iso/lazy'
import { useLocation } from 'preact-iso/router'
import { useConnections } from '../hub/connections.ts'
import { Page } from '../show/page.tsx'
import { Linked } from './offers/linked.tsx'
import { Unlinked } from './offers/unlinked.tsx'

// Few people list variants here, so only they load it.
const ListMore = lazy(async () => (await import('./offers/list-more.tsx')).ListMore)

const views = {
  linked: { label: 'Linked', lead: 'What is on sale, and what is wrong with it?', View: Linked },
  unlinked: {
    label: 'Unlinked',
    lead: 'Which offers of the marketplaces follow no stock? The hub found them and does not change them.',
    View: Unlinked
  },
  new: { label: 'List more', lead: 'What could also be on sale, and where?', View: ListMore }
} as const

/** The offers of the marketplaces: linked to variants, linked to none, and those that could be. */
export default function OffersPage (): JSX.Element {
  const { query } = useLocation()
  const connections = useConnections()
  const current = query.view === 'unlinked' || query.view === 'new' ? query.view : 'linked'
  const { lead, View } = views[current]
  return (
    <Page title='Offers' lead={lead}>
      <nav class='tabs' aria-label='Offers'>
        {Object.entries(views).map(([name, { label }]) => (
          <a
            key={name}
            href={name === 'linked' ? '/console/offers' : `/console/offers?view=${name}`}
            aria-current={name === current ? 'page' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <View connections={connections} />
    </Page>
  )
}
