import type { JSX } from 'preact'
import { Page } from '../show/page.tsx'

export default function Deliveries (): JSX.Element {
  return <Page title='Deliveries'>Not there yet.</Page>
}
