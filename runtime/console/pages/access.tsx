import type { JSX } from 'preact'
import { Page } from '../show/page.tsx'

export default function Access (): JSX.Element {
  return <Page title='Access'>Not there yet.</Page>
}
