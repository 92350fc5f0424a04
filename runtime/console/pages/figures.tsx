import type { JSX } from 'preact'
import { Page } from '../show/page.tsx'

export default function Figures (): JSX.Element {
  return <Page title='Figures'>Not there yet.</Page>
}
