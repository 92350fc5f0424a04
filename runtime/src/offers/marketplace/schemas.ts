import { Money } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable } from '../../http/schemas.ts'
import { findable, printable } from '../../text-patterns.ts'

const NullableText = Nullable(Type.String())
const MatchedBy = Type.Union([Type.Literal('reference'), Type.Literal('sku'), Type.Literal('ean')], {
  description: "`reference`: the hub's id of the variant; `sku`: the seller's id may also be the SKU"
})

const Doubt = [
  Type.Literal('several-variants', { description: 'more than one variant matches the offer' }),
  Type.Literal('several-offers', { description: 'another unlinked offer matches the variant as well or better' }),
  Type.Literal('variant-has-offer', { description: 'another offer of this marketplace is linked to the variant' }),
  Type.Literal('matches-disagree', { description: 'its SKU and its EAN name different variants' }),
  Type.Literal('other-ean', { description: 'the SKU is the same, but the EANs differ' }),
  Type.Literal('other-sku', { description: 'the EAN is the same, but the SKUs differ' }),
  Type.Literal('not-exact', {
    description: 'the SKUs differ in capital letters, or the EAN does not have 8 to 14 digits'
  }),
  Type.Literal('better-match', { description: 'another variant matches the offer better' }),
  Type.Literal('variant-missing', { description: 'the shop does not have the variant any more' }),
  Type.Literal('unlinked-by-operator', { description: 'an operator unlinked the offer; only a person links it again' })
] as const

export const SuggestionReason = Type.Union([
  Type.Literal('only-match', { description: 'one variant and one offer match, and nothing contradicts' }),
  ...Doubt
])
export type SuggestionReason = Static<typeof SuggestionReason>

export const SkipReason = Type.Union([
  ...Doubt,
  Type.Literal('no-match', { description: 'no variant matches the offer' }),
  Type.Literal('changed-meanwhile', { description: 'the offer was linked or changed while this request ran' }),
  Type.Literal('already-linked', { description: 'the offer is linked already' }),
  Type.Literal('unknown', { description: 'the marketplace showed no such offer' })
])
export type SkipReason = Static<typeof SkipReason>

const names = { name: NullableText, sku: NullableText, ean: NullableText }

const LinkState = Type.Union([
  Type.Literal('linked'),
  Type.Literal('certain', { description: 'exactly one variant and one offer match, and nothing contradicts' }),
  Type.Literal('ambiguous', { description: 'variants match, but a person has to decide' }),
  Type.Literal('none', { description: 'no variant matches' })
])
export type LinkState = Static<typeof LinkState>

export const MarketplaceOffer = Type.Object({
  externalId: Type.String(),
  title: NullableText,
  reference: Nullable(Type.String({ description: "The seller's own id of the offer, if the marketplace keeps one" })),
  sku: NullableText,
  ean: NullableText,
  status: Type.Union([Type.Literal('DRAFT'), Type.Literal('ACTIVE'), Type.Literal('INACTIVE')]),
  upstreamStatus: NullableText,
  price: Nullable(Money),
  quantity: Nullable(Type.Integer({
    description: 'Quantity that the marketplace showed; null when the hub has written since'
  })),
  readAt: Nullable(Type.String({ format: 'date-time', description: 'When the marketplace last showed the offer' })),
  link: Type.Object({
    state: LinkState,
    offerId: Nullable(Type.String({ format: 'uuid', description: 'Only of a linked offer' })),
    variant: Nullable(Type.Object({ id: Id, ...names }, { description: 'Only of a linked offer' })),
    suggestions: Type.Array(
      Type.Object({
        variantId: Id,
        ...names,
        matchedBy: MatchedBy,
        certain: Type.Boolean(),
        reason: SuggestionReason
      }),
      { description: 'Variants that may be the one of this offer, the best first; five at most' }
    )
  })
}, {
  $id: 'MarketplaceOffer',
  description:
    'An offer as the marketplace last showed it to the hub. `title` and `price` of a linked offer are those ' +
    'that the hub last wrote, if it wrote any'
})
export type MarketplaceOffer = Static<typeof MarketplaceOffer>

const SearchText = Type.String({
  maxLength: 200,
  pattern: findable,
  description: 'Only offers with this text in their title, id, reference, SKU or EAN; in any case'
})

export const MarketplaceOfferQuery = Type.Object({
  state: Type.Optional(Type.Union([...LinkState.anyOf, Type.Literal('unlinked')], {
    description: '`unlinked`: `certain`, `ambiguous` and `none`'
  })),
  q: Type.Optional(SearchText),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 6_000 }))
}, { additionalProperties: false })
export type MarketplaceOfferQuery = Static<typeof MarketplaceOfferQuery>

const ExternalId = { minLength: 1, maxLength: 1023, pattern: printable }

const mostNamed = 500

export const LinkBody = Type.Object({
  dryRun: Type.Boolean({ default: false, description: 'Only tells what would be linked' }),
  filter: Type.Optional(Type.Object({ q: SearchText }, { additionalProperties: false })),
  externalIds: Type.Optional(Type.Array(Type.String(ExternalId), {
    minItems: 1,
    maxItems: mostNamed,
    uniqueItems: true,
    description: 'Only these offers. Those that are not certain are skipped, too'
  })),
  after: Type
    .Optional(Type.String({ ...ExternalId, description: 'Only offers with a greater id: `next` of an answer' }))
}, { additionalProperties: false, description: '`filter` or `externalIds`; without both, all unlinked offers' })
export type LinkBody = Static<typeof LinkBody>

const Count = Type.Integer({ minimum: 0 })

export const LinkSummary = Type.Object({
  dryRun: Type.Boolean(),
  matched: Type.Integer({ minimum: 0, description: 'Offers that the request is about' }),
  eligible: Type.Integer({ minimum: 0, description: 'Those with a certain variant' }),
  linked: Type.Integer({ minimum: 0, description: '0 in a dry run' }),
  skipped: Type.Array(Type.Object({ reason: SkipReason, count: Count })),
  sample: Type.Array(
    Type.Object({ externalId: Type.String(), title: NullableText, variantId: Id, ...names, matchedBy: MatchedBy }),
    { description: 'The first ten eligible offers, each with its variant' }
  ),
  readAt: Nullable(Type.String({
    format: 'date-time',
    description: 'The oldest reading among the eligible offers'
  })),
  next: Nullable(Type.String({
    description: 'The last offer that the request came to, when it left out the offers after it: repeat the request ' +
      'with this id as `after`. Null: it came to the end'
  })),
  atMost: Type.Boolean({
    description:
      'Whether it left out offers: one request looks at 50 000 and links 10 000 at most. It also ends early ' +
      'when the connection is deleted meanwhile'
  })
}, { $id: 'MarketplaceLinkSummary' })
export type LinkSummary = Static<typeof LinkSummary>
