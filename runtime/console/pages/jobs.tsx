import type { JSX } from 'preact'
import { Page } from '../show/page.tsx'

export default function Jobs (): JSX.Element {
  return <Page title='Jobs'>Not there yet.</Page>
}
