import type { JSX } from 'preact'
import type { Connections } from '../hub/connections.ts'
import { addressOf } from '../rules/addresses.ts'

/** The name of a connection as a link to its page. */
export function ToConnection ({ id, of }: { id: string, of: Connections }): JSX.Element {
  return <a href={addressOf.connection(id)}>{of.nameOf(id)}</a>
}
