import type { JSX } from 'preact'
import { Page } from '../show/page.tsx'

export default function Trace (): JSX.Element {
  return <Page title='Trace'>Not there yet.</Page>
}
