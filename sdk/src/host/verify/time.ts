import type { WebhookTimestamp } from '../../webhooks.ts'
import { WebhookRefusal } from './received.ts'

const forms = {
  s: { pattern: /^\d{9,11}$/, words: 'Unix time in seconds: 9 to 11 digits' },
  ms: { pattern: /^\d{12,14}$/, words: 'Unix time in milliseconds: 12 to 14 digits' },
  iso: {
    pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$/,
    words: 'a time such as 2026-01-31T12:00:00Z'
  }
} as const

/** Reads a time as it arrived, in Unix milliseconds. `name` says where it stands. */
export function timeOf (text: string, unit: WebhookTimestamp['unit'], name: string): number {
  const { pattern, words } = forms[unit]
  const timeMs = unit === 'iso' ? Date.parse(text) : Number(text) * (unit === 's' ? 1_000 : 1)
  if (!pattern.test(text) || Number.isNaN(timeMs)) throw new WebhookRefusal('malformed', `${name} must be ${words}`)
  return timeMs
}

/** Writes a time as a platform would. */
export function writeTime (nowMs: number, unit: WebhookTimestamp['unit']): string {
  if (unit === 'iso') return new Date(nowMs).toISOString()
  return String(unit === 's' ? Math.floor(nowMs / 1_000) : nowMs)
}

/** Refuses a time too far from the hub's clock. The bound itself is allowed. */
export function refuseFarTime (
  timeMs: number,
  { nowMs, skewMs, name }: { nowMs: number, skewMs: number, name: string }
): void {
  const lateMs = nowMs - timeMs
  if (Math.abs(lateMs) <= skewMs) return
  const seconds = Math.round(Math.abs(lateMs) / 1_000)
  throw new WebhookRefusal(
    'stale',
    `${name} is ${seconds} s ${lateMs > 0 ? 'behind' : 'ahead of'} the hub's clock; ${skewMs / 1_000} s are allowed`
  )
}
