import type { HttpRequestEvent } from '../http/client.ts'

const longestUnsent = 16_384

/**
 * Copies the report of a request without the secrets that `redact` knows, and the beginning of what
 * was not sent. It cuts last: the rest of a secret that was cut in two would stay.
 */
export function redactEvent (event: HttpRequestEvent, redact: (text: string) => string): HttpRequestEvent {
  const { path, reason, unsent } = event
  const kept = { ...event, path: redact(path), ...(reason === undefined ? {} : { reason: redact(reason) }) }
  if (unsent === undefined) return kept
  const texts = Object.entries(unsent).map(([name, text]) => [name, redact(text).slice(0, longestUnsent)])
  return { ...kept, unsent: Object.fromEntries(texts) }
}
