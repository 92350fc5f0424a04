import type { JSX } from 'preact'
import { Page } from '../show/page.tsx'

export default function Connection (): JSX.Element {
  return <Page title='Connection'>Not there yet.</Page>
}
