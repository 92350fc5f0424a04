import { RejectedError } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { createHash } from 'node:crypto'

/**
 * The course of a listing so far, as plain data that one slice of a reading hands to the next. The
 * trail remembers one position and, after 1, 2, 4, 8 … pages, a later one instead (Brent's way to
 * find a cycle). A listing that goes in a circle meets the remembered position.
 */
export const PageTrail = Type.Object({
  method: Type.String(),
  /** Pages so far. */
  total: Type.Integer({ minimum: 0 }),
  /**
   * `mark` is a hash of the remembered position, `pages` counts the pages since then, and `span`
   * says after how many pages the trail remembers the next position.
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
 * Adds a page to the trail. Throws `RejectedError`, which names the method, when the listing can
 * have no end: its cursor leads back to an earlier page, its pages are empty again and again, or
 * there are too many. `before` is the trail up to the page before; another method begins a new
 * trail.
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
  if (position === mark) refuse('a cursor that it had answered before, so the listing would never end')
  if (total > mostPages) refuse(`more than ${mostPages} pages`)
  if (pages + 1 < span) return { method, total, mark, pages: pages + 1, span, empty }
  return { method, total, mark: position, pages: 0, span: span * 2, empty }
}
