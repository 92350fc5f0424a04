import { isStorableText } from '@linker/sdk/host/text'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { InvalidRequestError } from '../errors.ts'
import { isUuid } from '../text-patterns.ts'

/** Position after one row of a listing ordered by (createdAt, id). */
export interface Position {
  createdAt: string
  id: string
}

export function encodeCursor (position: Position): string {
  return Buffer.from(`${position.createdAt}|${position.id}`).toString('base64url')
}

// Accept only the form that `encodeCursor` writes: PostgreSQL refuses times and ids that a looser
// pattern lets pass.
const timePattern = /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Throws a 400 for anything that `encodeCursor` did not make. */
export function decodeCursor (cursor: string): Position {
  const [createdAt, id, ...rest] = Buffer.from(cursor, 'base64url').toString('utf8').split('|')
  if (createdAt === undefined || id === undefined || rest.length > 0 || !isTime(createdAt) || !isUuid(id)) {
    throw noCursor()
  }
  return { createdAt, id }
}

/** A cursor of a listing that is ordered by ids of a platform. */
export function encodeIdCursor (externalId: string): string {
  return Buffer.from(externalId).toString('base64url')
}

/** Throws a 400 for anything that `encodeIdCursor` did not make. */
export function decodeIdCursor (cursor: string): string {
  const externalId = Buffer.from(cursor, 'base64url').toString('utf8')
  const isOwn = externalId !== '' && encodeIdCursor(externalId) === cursor && isStorableText(externalId)
  if (!isOwn) throw noCursor()
  return externalId
}

function noCursor (): Error {
  return new InvalidRequestError('`cursor` is not a cursor of this API. Send one that an earlier answer contains')
}

/** Whether the date exists: `Date.parse` reads the 31st of February as the 3rd of March. */
function isTime (text: string): boolean {
  const atMs = timePattern.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(atMs) && new Date(atMs).toISOString() === text
}

/** Condition of the EntityManager: rows after a position; all rows when there is none. */
export function isAfter (position: Position | undefined) {
  if (position === undefined) return {}
  const { createdAt, id } = position
  const time = new Date(createdAt)
  return { $or: [{ createdAt: { $gt: time } }, { createdAt: time, id: { $gt: id } }] }
}

/**
 * Adds `Link: <…>; rel="next"` when a full page was answered, keeping the other members of the
 * query.
 */
export function linkNextPage (
  request: FastifyRequest,
  reply: FastifyReply,
  rows: readonly Position[],
  limit: number
): void {
  if (rows.length >= limit) linkPosition(request, reply, rows.at(-1))
}

/** Adds the same header for the page after a position, unless there is none. */
export function linkPosition (request: FastifyRequest, reply: FastifyReply, position: Position | undefined): void {
  if (position !== undefined) linkCursor(request, reply, encodeCursor(position))
}

/** Adds the same header for a listing that has cursors of its own. */
export function linkCursor (request: FastifyRequest, reply: FastifyReply, cursor: string): void {
  const url = new URL(request.url, 'http://hub')
  url.searchParams.set('cursor', cursor)
  reply.header('link', `<${url.pathname}${url.search}>; rel="next"`)
}
