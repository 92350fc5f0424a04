import type { JSX } from 'preact'
import { Page } from '../show/page.tsx'

export default function NotFound (): JSX.Element {
  return (
    <Page title='No such page'>
      <p>
        The console has no page at this address. Search for the object above, or go to the{' '}
        <a href='/console/'>overview</a>.
      </p>
    </Page>
  )
}
