import type { JSX } from 'preact'
import { Page } from '../show/page.tsx'

export default function Offers (): JSX.Element {
  return <Page title='Offers'>Not there yet.</Page>
}
