import { RejectedError } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { createHash } from 'node:crypto'

/**
 * How a listing has gone on so far, as plain data: slices of one reading hand it on. It remembers
 * one position and, after 1, 2, 4, 8 … pages, a later one (Brent's way to find a cycle): a listing
 * that comes back to a position meets the remembered one.
 */
export const PageTrail = Type.Object({
  method: Type.String(),
  /** So far. */
  total: Type.Integer({ minimum: 0 }),
  /**
   * A hash of the position, the pages since then, and after how many the next one is remembered.
   */
  mark: Type.String({ maxLength: 64 }),
  pages: Type.Integer({ minimum: 0 }),
  span: Type.Integer({ minimum: 1 }),
  /** Pages in a row without an item. */
  empty: Type.Integer({ minimum: 0 })
})
export type PageTrail = Static<typeof PageTrail>

export interface FollowedPage {
  method: string
  items: number
  nextCursor: string | undefined
}

const mostEmpty = 100
const mostPages = 100_000

/**
 * Takes note of a page. Throws `RejectedError`, which names the method, when the listing can have
 * no end: it goes on where it was before, or is empty again and again. `before` is what the page
 * before made; another listing begins anew.
 */
export function followPage (before: PageTrail | undefined, page: FollowedPage): PageTrail | undefined {
  const { method, items, nextCursor } = page
  if (nextCursor === undefined) return undefined
  const trail = before?.method === method ? before : { total: 0, mark: '', pages: 0, span: 1, empty: 0 }
  const { mark, pages, span } = trail
  const total = trail.total + 1
  const empty = items === 0 ? trail.empty + 1 : 0
  const refuse = (what: string): never => {
    throw new RejectedError(`${method} answered ${what}`)
  }
  if (empty >= mostEmpty) refuse(`${mostEmpty} empty pages in a row, each with a cursor to another one`)
  const position = createHash('sha256').update(nextCursor).digest('base64url')
  if (position === mark) refuse('a cursor that it had answered before: its pages have no end')
  if (total > mostPages) refuse(`more than ${mostPages} pages`)
  if (pages + 1 < span) return { method, total, mark, pages: pages + 1, span, empty }
  return { method, total, mark: position, pages: 0, span: span * 2, empty }
}
