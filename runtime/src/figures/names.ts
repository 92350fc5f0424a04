import { bucketCount } from './buckets.ts'

/** The names of the counts. Each is a member of `series` in the answer of `GET /figures`. */
export const counters = [
  'webhooksAccepted',
  'webhooksRepeated',
  'webhooksRefused',
  'jobsSucceeded',
  'jobsPutBack',
  'jobsDead',
  'jobsCancelled',
  'upstream2xx',
  'upstream3xx',
  'upstream4xx',
  'upstream429',
  'upstream5xx',
  'upstreamNone',
  'stockWrites'
] as const
export type Counter = typeof counters[number]

/**
 * The durations that the hub measures: of a request to a platform, and from a webhook to the
 * written stock.
 */
export const durations = ['upstream', 'written'] as const
export type Duration = typeof durations[number]

/** The name under which a bucket of a duration is stored, by its number. */
export const bucketNames: Readonly<Record<Duration, readonly string[]>> = {
  upstream: namesOf('upstream'),
  written: namesOf('written')
}

function namesOf (duration: Duration): string[] {
  return Array.from({ length: bucketCount }, (_, bucket) => `${duration}:${bucket}`)
}

const refusalPrefix = 'refused:'

/** Returns the name under which the refusals with a code are stored. */
export function refusalName (code: string): string {
  return refusalPrefix + code
}

const lastPrefix = 'last:'

/** Whether the value under a stored name is a time in milliseconds since 1970, and no count. */
export function isTime (name: string): boolean {
  return name.startsWith(lastPrefix)
}

/** The names under which the times of the last runs are stored; one for each code of a failure. */
export const lastNames = {
  success: `${lastPrefix}success`,
  failure: `${lastPrefix}failure`,
  failureWith: (code: string): string => `${lastPrefix}failure:${code}`
} as const

/** Splits a stored name into its parts. Undefined: a newer version of the hub counts it. */
export type Meaning = { counter: Counter } | { duration: Duration, bucket: number } | { refusal: string }

const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ...counters.map((counter): [string, Meaning] => [counter, { counter }]),
  ...durations.flatMap(duration =>
    bucketNames[duration].map((name, bucket): [string, Meaning] => [name, { duration, bucket }])
  )
])

export function meaningOf (name: string): Meaning | undefined {
  if (name.startsWith(refusalPrefix)) return { refusal: name.slice(refusalPrefix.length) }
  return meanings.get(name)
}
