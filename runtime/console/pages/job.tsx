import type { JSX } from 'preact'
import { Page } from '../show/page.tsx'

export default function Job (): JSX.Element {
  return <Page title='Job'>Not there yet.</Page>
}
