import type { JSX } from 'preact'
import { Page } from '../show/page.tsx'

export default function Order (): JSX.Element {
  return <Page title='Order'>Not there yet.</Page>
}
