import type { JSX } from 'preact'
import { useLocation } from 'preact-iso/router'
import { useConnections } from '../hub/connections.ts'
import { Page } from '../show/page.tsx'
import { Linked } from './offers/linked.tsx'
import { Unlinked } from './offers/unlinked.tsx'

/** The offers of the marketplaces: linked to variants, or linked to none. */
export default function OffersPage (): JSX.Element {
  const { query } = useLocation()
  const connections = useConnections()
  const isUnlinked = query.view === 'unlinked'
  return (
    <Page
      title='Offers'
      lead={isUnlinked
        ? 'Which offers of the marketplaces follow no stock? The hub found them and does not change them.'
        : 'What is on sale, and what is wrong with it?'}
    >
      <nav class='tabs' aria-label='Offers'>
        <a href='/console/offers' aria-current={isUnlinked ? undefined : 'page'}>Linked</a>
        <a href='/console/offers?view=unlinked' aria-current={isUnlinked ? 'page' : undefined}>Unlinked</a>
      </nav>
      {isUnlinked ? <Unlinked connections={connections} /> : <Linked connections={connections} />}
    </Page>
  )
}
