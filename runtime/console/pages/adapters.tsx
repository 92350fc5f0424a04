import type { JSX } from 'preact'
import { Page } from '../show/page.tsx'

export default function Adapters (): JSX.Element {
  return <Page title='Adapters'>Not there yet.</Page>
}
