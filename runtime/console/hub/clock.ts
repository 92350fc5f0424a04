import { signal } from '@preact/signals'

/** How far the clock of the hub is ahead of the browser's, in ms: the browser's may be wrong. */
let aheadMs = 0

/** The time of the hub in ms, a little old; texts such as "3 min ago" follow it. */
export const clock = signal(Date.now())

export function nowMs (): number {
  return Date.now() + aheadMs
}

/** Takes the time of the hub from the header `Date` of an answer. It is exact to a second. */
export function readClock (date: string | null): void {
  const sentMs = Date.parse(date ?? '')
  if (Number.isNaN(sentMs)) return
  const ahead = sentMs + 500 - Date.now()
  aheadMs = Math.abs(ahead) < 2_000 ? 0 : ahead
}

setInterval(() => {
  if (!document.hidden) clock.value = nowMs()
}, 5_000)
