import { countOf } from '../count-of.ts'

const units: readonly (readonly [name: string, ms: number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000]
]

/** A length of time in its largest unit, rounded down: `3 days`, `1 hour`. */
export function describeLength (ms: number): string {
  const [name, unitMs] = units.find(unit => ms >= unit[1]) ?? ['second', 1_000]
  return countOf(Math.max(0, Math.floor(ms / unitMs)), name)
}

/**
 * How a command names a connection: by its name in double quotes, or by its id when a shell would
 * read the name otherwise.
 */
export function argumentOf ({ id, name }: { id: string, name: string }): string {
  return /^-|["$`\\!]/.test(name) ? id : `"${name}"`
}

/** Ends a text with a full stop, unless it ends a sentence already. */
export function endSentence (text: string): string {
  const trimmed = text.trimEnd()
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`
}
