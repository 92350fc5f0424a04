import type { JSX } from 'preact'
import { Page } from '../show/page.tsx'

export default function Audit (): JSX.Element {
  return <Page title='Audit'>Not there yet.</Page>
}
