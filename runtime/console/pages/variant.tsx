import type { JSX } from 'preact'
import { Page } from '../show/page.tsx'

export default function Variant (): JSX.Element {
  return <Page title='Variant'>Not there yet.</Page>
}
