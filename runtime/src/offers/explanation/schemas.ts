import { Money } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable } from '../../http/schemas.ts'

const DateTime = Type.String({ format: 'date-time' })

export const Verdict = Type.Union([
  Type.Literal('not-linked', { description: 'it follows no stock: no variant is linked, or the offer has ended' }),
  Type.Literal('master-not-read', { description: 'the quantity in the shop is unknown, or may be out of date' }),
  Type.Literal('sweep-held', { description: 'a sweep missed so many variants that the hub does not believe it' }),
  Type.Literal('switched-off', {
    description: 'the shop has switched the product off, or takes no orders for it, so the offer should show 0'
  }),
  Type.Literal('waits-for-confirmation', {
    description: 'the stock jumped; the offer keeps the old quantity until a person confirms the new one'
  }),
  Type.Literal('reserved', { description: 'orders that are not in the shop yet keep pieces' }),
  Type.Literal('limited', {
    description: 'the buffer or `maxListed` holds pieces back, or the request that created the offer chose a quantity'
  }),
  Type.Literal('write-waiting', { description: 'a job is about to write it, or the next comparison makes one' }),
  Type.Literal('write-dead', { description: 'the job that should have written it died or was cancelled' }),
  Type.Literal('write-refused', { description: 'the marketplace refused the quantity or the offer' }),
  Type.Literal('connection-paused', {
    description: 'somebody paused the connection of the marketplace, or its capability for offers'
  }),
  Type.Literal('connection-error', {
    description: 'the connection of the marketplace is in error or disabled, or its adapter is not loaded'
  }),
  Type.Literal('frozen-by-seller', { description: 'the seller froze the stock there; the hub does not write it' }),
  Type.Literal('within-lag', { description: 'it was written just now; the marketplace may still show the one before' }),
  Type.Literal('shown-not-read', { description: 'it was written, but the marketplace was not read since' }),
  Type.Literal('changed-there', {
    description: 'the marketplace showed another quantity than the hub had written when the hub last read the offer'
  }),
  Type.Literal('in-step', { description: 'the marketplace shows the quantity that it should show' })
])
export type Verdict = Static<typeof Verdict>

const ReservingOrder = Type.Object({
  id: Id,
  externalId: Type.String({ description: 'Id of the order at its marketplace' }),
  connectionId: Id,
  status: Type.String(),
  quantity: Type.Integer({ description: 'Pieces of the variant that it reserves' }),
  readAt: Type.String({ format: 'date-time', description: 'When the hub first read the order' })
})
export type ReservingOrder = Static<typeof ReservingOrder>

export const Evidence = Type.Object({
  at:
    Nullable(Type.String({ format: 'date-time', description: 'When it happened; null when the hub does not keep it' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'When it ends by itself' })),
  jobId: Type.Optional(Id),
  code: Type.Optional(Type.String({ description: 'Code of the problem of the job' })),
  orders: Type.Optional(Type.Array(ReservingOrder, { description: 'The first 20' })),
  connectionId: Type.Optional(Id),
  sweepId: Type.Optional(Type.String({ ...Id, description: 'The last sweep of the shop that has ended' })),
  lastSweepAt: Type.Optional(Type.String({
    format: 'date-time',
    description: 'When the last complete sweep of the shop ended'
  })),
  lastEventAt: Type.Optional(Type.String({
    format: 'date-time',
    description: 'When the last webhook of the shop arrived, about whatever object'
  }))
}, { description: 'What the verdict rests on' })
export type Evidence = Static<typeof Evidence>

const ApiCall = Type.Object({
  method: Type.Union([Type.Literal('GET'), Type.Literal('POST'), Type.Literal('PATCH'), Type.Literal('DELETE')]),
  path: Type.String({ description: 'Path at the address of the hub' }),
  body: Nullable(Type.Record(Type.String(), Type.Unknown()))
}, { description: 'A request to this API, complete: a client may send it as it is' })

export const NextAction = Type.Object({
  sentence: Type.String(),
  command: Nullable(Type.String({
    description: 'The command that does it, with words in capital letters to fill in; null when there is none'
  })),
  call: Nullable(ApiCall)
})
export type NextAction = Static<typeof NextAction>

const Contributing = Type.Object({
  verdict: Verdict,
  sentence: Type.String(),
  evidence: Evidence,
  nextAction: NextAction
})

const StepName = Type.Union([
  Type.Literal('master', { description: 'quantity in the shop; `at`: not read before this time' }),
  Type.Literal('after-reservations', { description: 'pieces left after the reserved ones' }),
  Type.Literal('after-limits', { description: 'pieces left after the buffer and `maxListed`' }),
  Type.Literal('wanted', {
    description: 'quantity that the offer should show, 0 when switched off; `at`: last change of the stock'
  }),
  Type.Literal('written', { description: 'quantity that the hub last wrote, and the job that wrote it' }),
  Type.Literal('shown', { description: 'quantity that the marketplace showed since then' })
])

export const Step = Type.Object({
  step: StepName,
  quantity: Nullable(Type.Integer({ description: 'Null: not known, or not counted' })),
  at: Nullable(DateTime),
  jobId: Type.Optional(Id),
  note: Type.Optional(Type.String())
})
export type Step = Static<typeof Step>

export const PriceExplanation = Type.Object({
  basis: Type.Union([Type.Literal('price'), Type.Literal('regularPrice'), Type.Literal('other')], {
    description: 'The price of the shop that the offer has: that of today, or the one without its promotion'
  }),
  offer: Money,
  price: Nullable(Money),
  regularPrice: Nullable(Money),
  sentence: Type.String()
}, { description: 'The price of the offer beside those of the shop, as the hub read them last' })
export type PriceExplanation = Static<typeof PriceExplanation>

export const OfferExplanation = Type.Object({
  offerId: Id,
  externalId: Type.String({ description: 'Id of the offer at the marketplace' }),
  variant: Nullable(Type.Object({
    id: Id,
    name: Nullable(Type.String({ description: 'Name of the product, and of the variant when there are others' })),
    sku: Nullable(Type.String()),
    ean: Nullable(Type.String())
  }, { description: 'The variant whose stock the offer follows' })),
  connection: Type.Object({ id: Id, name: Type.String() }, { description: 'The marketplace' }),
  verdict: Verdict,
  sentence: Type.String({ description: 'The verdict for people' }),
  contributing: Type.Array(Contributing, { description: 'What is true besides, the most important first' }),
  chain: Type.Array(Step, { description: 'The quantity from the shop to the marketplace' }),
  price: Nullable(PriceExplanation),
  evidence: Evidence,
  nextAction: NextAction,
  checkedAt: Type.String({ format: 'date-time', description: 'By the clock of the database, as all times here' })
}, { $id: 'OfferExplanation' })
export type OfferExplanation = Static<typeof OfferExplanation>
