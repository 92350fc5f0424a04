import type { JSX } from 'preact'
import { Page } from '../show/page.tsx'

export default function Connections (): JSX.Element {
  return <Page title='Connections'>Not there yet.</Page>
}
