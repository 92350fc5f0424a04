import type { JSX } from 'preact'
import { Page } from '../show/page.tsx'

export default function Redrive (): JSX.Element {
  return <Page title='Redrive'>Not there yet.</Page>
}
