import type { HttpRequestEvent } from '../http/client.ts'

/** Copies the report of a request without the secrets that `redact` knows. */
export function redactEvent (event: HttpRequestEvent, redact: (text: string) => string): HttpRequestEvent {
  const { path, unsent } = event
  if (unsent === undefined) return { ...event, path: redact(path) }
  const texts = Object.entries(unsent).map(([name, text]) => [name, redact(text)])
  return { ...event, path: redact(path), unsent: Object.fromEntries(texts) }
}
