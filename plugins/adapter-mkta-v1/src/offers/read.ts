import { Nullable, type FieldError, type Offer } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Problem, toFieldErrors } from '../errors.ts'
import { toMoney, UpstreamMoney } from '../money.ts'
import { parseAs } from '../read-answer.ts'

/**
 * The members of the marketplace's offer that the adapter reads, from a list or from a single
 * offer. Other members come and go.
 */
export const UpstreamOffer = Type.Object({
  id: Type.String({ minLength: 1 }),
  name: Nullable(Type.String()),
  sellingMode: Nullable(Type.Object({ price: Nullable(UpstreamMoney) })),
  stock: Nullable(Type.Object({ available: Nullable(Type.Integer()) })),
  external: Nullable(Type.Object({ id: Nullable(Type.String()) })),
  publication: Type.Object({
    status: Type.String(),
    endedBy: Nullable(Type.String()),
    republish: Nullable(Type.Boolean())
  }),
  validation: Nullable(Type.Object({ errors: Nullable(Type.Array(Problem)) }))
})
export type UpstreamOffer = Static<typeof UpstreamOffer>

export function parseOffer (offer: unknown): UpstreamOffer {
  return parseAs(UpstreamOffer, offer, 'the offer')
}

/**
 * Reads an offer from a list or alone. `republished`: the offers that are known to come back by
 * themselves, which a list does not tell.
 */
export function readOffer (upstream: unknown, republished: ReadonlySet<string> = new Set()): Offer {
  const offer = parseOffer(upstream)
  const { price } = offer.sellingMode ?? {}
  const { available } = offer.stock ?? {}
  const comesBack = offer.publication.republish ?? republished.has(offer.id)
  return {
    externalId: offer.id,
    reference: offer.external?.id || undefined,
    status: statusOf(offer, comesBack),
    upstreamStatus: offer.publication.status,
    title: offer.name ?? undefined,
    price: price ? toMoney(price) : undefined,
    quantity: available ?? undefined,
    frozenFields: [],
    problems: [
      ...problemsOf(offer).map(({ code, message }) => message === '' ? code : message),
      ...endProblemsOf(offer),
      ...comesBack ? [republishProblem] : []
    ]
  }
}

/** The problem of an offer that comes back by itself. */
export const republishProblem = 'the marketplace puts the offer up again by itself after its end, with its first ' +
  'stock, however many were sold: switch `republish` off there'

/** How an offer ends when neither its seller nor its sales cause it. */
const foreignEnds: ReadonlySet<string> = new Set(['ADMIN', 'PRODUCT_DETACHMENT', 'ERROR'])

function endProblemsOf ({ publication: { status, endedBy } }: UpstreamOffer): string[] {
  return status === 'ENDED' && typeof endedBy === 'string' && foreignEnds.has(endedBy)
    ? [`the marketplace ended the offer: ${endedBy}`]
    : []
}

/** The faults that the marketplace reports for the offer as a whole. */
export function problemsOf ({ validation }: UpstreamOffer): FieldError[] {
  return toFieldErrors(validation?.errors ?? [])
}

/**
 * Whether the marketplace ended the offer because it sold out. Such an offer comes back with its
 * stock; an offer that the seller ended does not.
 */
export function isSoldOut ({ publication, stock }: UpstreamOffer): boolean {
  if (publication.status !== 'ENDED') return false
  // Lists may leave out `endedBy`.
  return typeof publication.endedBy === 'string' ? publication.endedBy === 'EMPTY_STOCK' : stock?.available === 0
}

function statusOf (offer: UpstreamOffer, comesBack: boolean): Offer['status'] {
  switch (offer.publication.status) {
    case 'ACTIVE':
    case 'ACTIVATING':
      return 'ACTIVE'
    // The hub takes an end for final, but one that sold out or comes back must be written again.
    case 'ENDED':
      return comesBack || isSoldOut(offer) ? 'INACTIVE' : 'ENDED'
    default:
      return 'INACTIVE'
  }
}
