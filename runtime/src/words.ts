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

/** A size in megabytes, or in gigabytes from ten of them on, rounded down: `250 MB`, `41 GB`. */
export function describeBytes (bytes: number): string {
  return bytes < 10e9 ? `${Math.floor(bytes / 1e6)} MB` : `${Math.floor(bytes / 1e9)} GB`
}

/** A number with its noun: `1 job`, `2 jobs`. Takes the plural when it is not the noun and an s. */
export function countOf (count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

/**
 * Returns a value as one word of a shell. Names and ids of platforms may contain anything that a
 * shell would obey.
 */
export function shellWord (value: string): string {
  if (/^[\w.:@/][\w.:@/-]*$/.test(value)) return value
  return /["$`\\!]/.test(value) ? `'${value.replaceAll("'", String.raw`'\''`)}'` : `"${value}"`
}

/**
 * How a command names a connection: by its name, or by its id when people would not read the name
 * as one word, or a command would read it as an option.
 */
export function argumentOf ({ id, name }: { id: string, name: string }): string {
  const word = shellWord(name)
  return name.startsWith('-') || word.startsWith("'") ? id : word
}

/** Ends a text with a full stop, unless it ends a sentence already. */
export function endSentence (text: string): string {
  const trimmed = text.trimEnd()
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`
}
