import type { JSX } from 'preact'
import { Page } from '../show/page.tsx'

export default function Orders (): JSX.Element {
  return <Page title='Orders'>Not there yet.</Page>
}
