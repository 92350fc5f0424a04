import type { JSX } from 'preact'
import { clock } from '../hub/clock.ts'
import { relativeTime } from '../rules/times.ts'

const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** A time as a distance from now. Its title has the date and time in the zone of the browser. */
export function Ago ({ at, none = 'never' }: { at: string | null | undefined, none?: string }): JSX.Element {
  if (at === null || at === undefined) return <span class='muted'>{none}</span>
  const ms = Date.parse(at)
  return <time dateTime={at} title={absolute.format(ms)}>{relativeTime(ms, clock.value)}</time>
}

/** A time with its date, in the zone of the browser. */
export function At ({ at, none = 'never' }: { at: string | null | undefined, none?: string }): JSX.Element {
  if (at === null || at === undefined) return <span class='muted'>{none}</span>
  return <time dateTime={at} title={at}>{absolute.format(Date.parse(at))}</time>
}
