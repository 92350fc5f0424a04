import type { JSX } from 'preact'
import { Page } from '../show/page.tsx'

export default function Overview (): JSX.Element {
  return <Page title='Overview'>Not there yet.</Page>
}
