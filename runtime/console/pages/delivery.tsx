import type { JSX } from 'preact'
import { Page } from '../show/page.tsx'

export default function Delivery (): JSX.Element {
  return <Page title='Delivery'>Not there yet.</Page>
}
