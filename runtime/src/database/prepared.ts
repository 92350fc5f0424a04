import type pg from 'pg'

const names = new Map<string, string>()

/**
 * Marks a statement that runs for every job or message and does not change: PostgreSQL plans it
 * once per connection instead of each time, which for the large ones is most of their cost. Answers
 * the text as it is.
 */
export function prepared (text: string): string {
  if (!names.has(text)) names.set(text, `linker_${names.size + 1}`)
  return text
}

// "cached plan must not change result type"
const featureNotSupported = '0A000'

/** Lets a client use the marked statements by name. */
export function prepareMarked (client: pg.PoolClient): void {
  const plain = client.query.bind(client) as (...args: unknown[]) => unknown
  const outdated = new Set<string>()

  function query (text: unknown, ...rest: unknown[]): unknown {
    const name = typeof text === 'string' && Array.isArray(rest[0]) ? names.get(text) : undefined
    if (name === undefined || outdated.has(name)) return plain(text, ...rest)
    const answer = plain({ name, text }, ...rest)
    // A newer process has changed a table while this one runs, and the rows would have other
    // columns: from now on it is planned each time. Without a promise it is the pool that asked,
    // and that throws away a client whose statement failed.
    if (answer instanceof Promise) {
      answer.catch((error: { code?: string }) => {
        if (error.code === featureNotSupported) outdated.add(name)
      })
    }
    return answer
  }

  client.query = query as typeof client.query
}
