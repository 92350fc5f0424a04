import type { JSX } from 'preact'
import { Page } from '../show/page.tsx'

export default function Adapter (): JSX.Element {
  return <Page title='Adapter'>Not there yet.</Page>
}
