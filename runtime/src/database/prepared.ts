import { hash } from 'node:crypto'

const names = new Map<string, string>()

/**
 * Marks a statement that runs for every job or message and does not change. PostgreSQL then plans
 * it once per connection instead of each time; planning is most of the cost of a large statement.
 * Its name is that of its text, the same in every process and version: a pooler may lend a session
 * in which another process has prepared it. Returns the text unchanged.
 */
export function prepared (text: string): string {
  if (!names.has(text)) names.set(text, `linker_${hash('sha256', text).slice(0, 32)}`)
  return text
}

// "cached plan must not change result type"
const featureNotSupported = '0A000'

/** A client of the driver, which takes a statement in several forms. */
interface Client {
  query(...args: never[]): unknown
}

/** Lets a client use the marked statements by name. */
export function prepareMarked (client: Client): void {
  const plain = client.query.bind(client) as (...args: unknown[]) => unknown
  const outdated = new Set<string>()

  function query (text: unknown, ...rest: unknown[]): unknown {
    const name = typeof text === 'string' && Array.isArray(rest[0]) ? names.get(text) : undefined
    if (name === undefined || outdated.has(name)) return plain(text, ...rest)
    const answer = plain({ name, text }, ...rest)
    // A newer process has changed a table, and the rows would have other columns: from now on
    // PostgreSQL plans the statement each time. When the answer is no promise, the pool sent the
    // statement, and the pool discards a client whose statement failed.
    if (answer instanceof Promise) {
      answer.catch((error: { code?: string }) => {
        if (error.code === featureNotSupported) outdated.add(name)
      })
    }
    return answer
  }

  client.query = query as typeof client.query
}
