import type { Tone } from './tones.ts'

interface Facts {
  status: string
  statusReason: string | null
  pauses: readonly unknown[]
  breaker: object | null
}

/** The state of a connection in one word: the gravest thing that stops it. */
export function stateOf ({ status, statusReason, pauses, breaker }: Facts): {
  name: string,
  tone?: Tone,
  title: string | undefined
} {
  const title = statusReason ?? undefined
  if (status !== 'active') return { name: status, title }
  if (pauses.length > 0) return { name: 'paused', title }
  if (breaker !== null) return { name: 'platform fails', tone: 'warn', title }
  return { name: status, title }
}
