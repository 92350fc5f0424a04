import type { JSX } from 'preact'
import { Page } from '../show/page.tsx'

export default function Stock (): JSX.Element {
  return <Page title='Stock'>Not there yet.</Page>
}
