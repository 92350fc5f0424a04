import type { JSX } from 'preact'
import { Page } from '../show/page.tsx'

export default function Sweeps (): JSX.Element {
  return <Page title='Sweeps'>Not there yet.</Page>
}
