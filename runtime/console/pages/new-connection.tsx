import type { JSX } from 'preact'
import { Page } from '../show/page.tsx'

export default function NewConnection (): JSX.Element {
  return <Page title='NewConnection'>Not there yet.</Page>
}
