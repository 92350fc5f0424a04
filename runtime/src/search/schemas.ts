import { Type, type Static } from '@sinclair/typebox'
import { Id } from '../http/schemas.ts'
import { findable } from '../text-patterns.ts'

export const shortestText = 2

const Kind = Type.Union([
  Type.Literal('connection'),
  Type.Literal('offer'),
  Type.Literal('unlinked-offer', { description: 'an offer of a marketplace that no variant is linked to' }),
  Type.Literal('variant'),
  Type.Literal('order'),
  Type.Literal('job'),
  Type.Literal('delivery')
])
export type Kind = Static<typeof Kind>

const MatchedBy = Type.Union([
  Type.Literal('id', { description: "the hub's own id, or its beginning" }),
  Type.Literal('externalId', { description: 'the id at the marketplace, or in the shop' }),
  Type.Literal('reference', { description: "the seller's own id of an unlinked offer" }),
  Type.Literal('sku'),
  Type.Literal('ean'),
  Type.Literal('requestId', { description: 'a job that this request led to' }),
  Type.Literal('eventId', { description: 'what became of the event to which its sender gave this id' }),
  Type.Literal('name', { description: 'the beginning of a name' })
])
export type MatchedBy = Static<typeof MatchedBy>

export const SearchQuery = Type.Object({
  q: Type.String({
    minLength: shortestText,
    maxLength: 1_023,
    pattern: findable,
    description: 'An id or its first 8 characters or more, an id at a marketplace or in a shop, an SKU, an EAN, a ' +
      'request id, the id that a sender gave an event, or the beginning of an SKU or of a name; ids of the hub, ' +
      'SKUs and names in any case'
  })
}, { additionalProperties: false })

export const SearchResult = Type.Object({
  kind: Kind,
  id: Id,
  title: Type.String({ description: 'Its name, or else its id' }),
  subtitle: Type.String({ description: 'What tells it from others with the same title; may be empty' }),
  connectionId: Type.Optional(Id),
  matchedBy: MatchedBy
}, { $id: 'SearchResult' })
export type SearchResult = Static<typeof SearchResult>
