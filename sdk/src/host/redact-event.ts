import type { HttpRequestEvent } from '../http/client.ts'

const longestUnsent = 16_384

/**
 * Copies the report of a request without the secrets that `redact` knows, and the beginning of what
 * was not sent. It cuts last: the rest of a secret that was cut in two would stay.
 */
export function redactEvent (event: HttpRequestEvent, redact: (text: string) => string): HttpRequestEvent {
  const { path, unsent } = event
  if (unsent === undefined) return { ...event, path: redact(path) }
  const texts = Object.entries(unsent).map(([name, text]) => [name, redact(text).slice(0, longestUnsent)])
  return { ...event, path: redact(path), unsent: Object.fromEntries(texts) }
}
