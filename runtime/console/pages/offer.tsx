import type { JSX } from 'preact'
import { Page } from '../show/page.tsx'

export default function Offer (): JSX.Element {
  return <Page title='Offer'>Not there yet.</Page>
}
