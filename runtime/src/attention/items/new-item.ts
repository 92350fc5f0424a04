import type { AttentionItem } from '../schemas.ts'

/** A connection, as items name it. */
export interface Named {
  id: string
  name: string
}

/** The connections by their ids. A deleted one is missing. */
export type Names = ReadonlyMap<string, Named>

type Members = Omit<AttentionItem, 'key' | 'count' | 'connectionId' | 'connectionName' | 'code'>

interface Options extends Members {
  count?: number
  connection?: Named | undefined
  code?: string | null | undefined
  /** Tells apart several items of one kind and connection. */
  of?: string
}

/** Makes an item. Its key consists of its kind, its connection and `of`. */
export function newItem ({ count = 1, connection, code, of, ...members }: Options): AttentionItem {
  const parts = [members.kind, connection?.id, of].filter(part => part !== undefined)
  return {
    key: parts.join(':'),
    ...members,
    count,
    ...(connection === undefined ? {} : { connectionId: connection.id, connectionName: connection.name }),
    ...(typeof code === 'string' ? { code } : {})
  }
}

const longestText = 200

/** A text of a platform or an operator, on one line and not too long. */
export function shortText (text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > longestText ? `${line.slice(0, longestText - 1)}…` : line
}

/** ` or more` when the hub stopped counting at the limit. */
export function orMore (count: number, limit: number): string {
  return count >= limit ? ' or more' : ''
}
