import type { FastifyInstance } from 'fastify'
import { inboxSearchBody, markReadBody } from './order-schemas.ts'

export interface InboxMessage {
  /** 24 hex characters. */
  id: string
  shopId: number
  created: string
  read: boolean
  type: string
  payload: unknown
}

/**
 * A message that a test adds. With an `id` below those already shown, it is a message that became
 * visible late.
 */
export interface NewInboxMessage {
  type: string
  payload: unknown
  id?: string
  created?: string
}

const shownAtOnce = 500

/**
 * Makes the inbox for integrations. It shows only the oldest unread messages: as long as nobody
 * marks them read, they hide later ones.
 */
export function createInbox ({ now, shopId }: { now: () => Date, shopId: number }) {
  const messages = new Map<string, InboxMessage>()
  const unread = new Map<string, InboxMessage>()
  let lastNumber = 0

  function add ({ type, payload, id = nextId(), created = now().toISOString() }: NewInboxMessage): string {
    if (messages.has(id)) throw new Error(`the inbox already has message '${id}'`)
    const message: InboxMessage = { id, shopId, created, read: false, type, payload }
    messages.set(id, message)
    unread.set(id, message)
    return id
  }

  // The seconds come before the number, so that ids sort by time.
  function nextId (): string {
    lastNumber += 1
    const seconds = Math.floor(now().getTime() / 1_000)
    return seconds.toString(16).padStart(8, '0') + lastNumber.toString(16).padStart(16, '0')
  }

  function oldestUnread (types?: readonly string[]): InboxMessage[] {
    const wanted = [...unread.values()].filter(({ type }) => types === undefined || types.includes(type))
    return wanted.sort((a, b) => a.id < b.id ? -1 : 1).slice(0, shownAtOnce)
  }

  function markRead (ids: readonly string[]): number {
    const marked = ids.flatMap(id => unread.get(id) ?? [])
    for (const message of marked) {
      message.read = true
      unread.delete(message.id)
    }
    return marked.length
  }

  return {
    add,
    oldestUnread,
    markRead,
    /** The unread messages up to this one; none when there is no such message. */
    unreadUpTo: (last: string): string[] => messages.has(last) ? [...unread.keys()].filter(id => id <= last) : [],
    all: (): InboxMessage[] => [...messages.values()]
  }
}

export type Inbox = ReturnType<typeof createInbox>

export function registerInbox (app: FastifyInstance, inbox: Inbox): void {
  app.get('/inbox', async () => inbox.oldestUnread())

  app.post<{ Body: { types?: string[] } }>(
    '/inbox/_search',
    { schema: { body: inboxSearchBody } },
    async request => inbox.oldestUnread(request.body.types)
  )

  app.post<{ Body: { lastMessageId: string } | { ids: string[] } }>('/inbox/mark-read', {
    schema: { body: markReadBody }
  }, async ({ body }, reply) => {
    const ids = 'ids' in body ? body.ids : inbox.unreadUpTo(body.lastMessageId)
    return reply.type('application/json').send(String(inbox.markRead([...new Set(ids)])))
  })
}
