/** The forms of a body that the hub tells apart. */
export type WebhookContent = 'json' | 'form' | 'text'

const contents: readonly (readonly [WebhookContent, RegExp])[] = [
  ['json', /^application\/(?:json|[a-z0-9!#$&^_.-]+\+json) *(?:;|$)/i],
  ['form', /^application\/x-www-form-urlencoded *(?:;|$)/i],
  ['text', /^text\/plain *(?:;|$)/i]
]

/** Returns the form that a Content-Type announces. Undefined: the hub reads no such bodies. */
export function contentOf (contentType = ''): WebhookContent | undefined {
  return contents.find(([, pattern]) => pattern.test(contentType))?.[0]
}

/**
 * Reads a form. A field that came twice is none: nobody can say which one is meant. Undefined: it
 * is not UTF-8 in percent-encoding.
 */
export function readForm (text: string): Readonly<Record<string, string>> | undefined {
  try {
    for (const [encoded] of text.matchAll(/(?:%[0-9a-f]{2})+/gi)) decodeURIComponent(encoded)
  } catch {
    return undefined
  }
  const fields = Map.groupBy(new URLSearchParams(text), ([name]) => name)
  return Object
    .fromEntries([...fields].flatMap(([name, [first, ...others]]) =>
      first === undefined || others.length > 0 ? [] : [[name, first[1]] as const]
    ))
}
