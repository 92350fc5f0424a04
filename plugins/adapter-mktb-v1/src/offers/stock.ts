import {
  AdapterErrorCode,
  quoteAnswer,
  TransientError,
  type HttpClient,
  type OfferWriteResult,
  type QuantityChange,
  type QuantityChangeResult
} from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { MarketplaceContext } from '../config.ts'
import { compareFields, readWriteResult, toStock } from './fields.ts'
import { isExternalId, productPath } from './path.ts'
import { quantityProblems, refuseIfAny } from './rules.ts'

const Item = Type.Object({
  externalId: Type.String(),
  status: Type.Integer(),
  result: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Object({ message: Type.Optional(Type.String()) }))
})
type Item = Static<typeof Item>

export async function updateOfferQuantity (
  http: HttpClient,
  context: MarketplaceContext,
  change: QuantityChange
): Promise<OfferWriteResult> {
  const { externalId, quantity } = change
  refuseIfAny(quantityProblems(quantity))
  const body = { stock: toStock(quantity) }
  const answer = await http.request({ method: 'PATCH', path: productPath(externalId), body })
  return warned(context, change, readWriteResult(body, answer))
}

export async function updateOfferQuantities (
  http: HttpClient,
  context: MarketplaceContext,
  changes: readonly QuantityChange[]
): Promise<QuantityChangeResult[]> {
  // Leave invalid items out: one of them would make the marketplace refuse the whole batch.
  const refused = changes.flatMap(change => {
    const message = isExternalId(change.externalId)
      ? quantityProblems(change.quantity)[0]?.message
      : 'this cannot be the external id of an offer'
    return message === undefined ? [] : [failed(change.externalId, AdapterErrorCode.rejected, message)]
  })
  const sent = changes.filter(({ externalId }) => !refused.some(result => result.externalId === externalId))
  if (sent.length === 0) return refused

  const body = sent.map(({ externalId, quantity }) => ({ externalId, stock: toStock(quantity) }))
  const answer = await http.json({ method: 'PATCH', path: 'products/batch-update', body })
  if (!Array.isArray(answer)) {
    throw new TransientError('the marketplace answered a batch without a status for each item')
  }
  const items = new Map(answer.filter(item => Value.Check(Item, item)).map(item => [item.externalId, item]))
  return [...refused, ...sent.map(change => readItem(context, change, items.get(change.externalId)))]
}

function readItem (context: MarketplaceContext, change: QuantityChange, item: Item | undefined): QuantityChangeResult {
  const { externalId } = change
  if (item === undefined) {
    return failed(externalId, AdapterErrorCode.transient, 'the marketplace said nothing about this item of the batch')
  }
  const { status, result, error } = item
  if (status >= 200 && status < 300) {
    return { externalId, ...warned(context, change, compareFields({ stock: 0 }, result)) }
  }
  const said = error?.message === undefined ? '' : `: ${quoteAnswer(error.message)}`
  return failed(externalId, codeOf(status), `the marketplace answered this item of the batch with ${status}${said}`)
}

function codeOf (status: number): AdapterErrorCode {
  if (status === 401 || status === 403) return AdapterErrorCode.authentication
  if (status === 404) return AdapterErrorCode.notFound
  const isTransient = status < 400 || status >= 500 || [408, 425, 429].includes(status)
  return isTransient ? AdapterErrorCode.transient : AdapterErrorCode.rejected
}

function failed (externalId: string, code: AdapterErrorCode, message: string): QuantityChangeResult {
  return { externalId, applied: [], frozen: [], error: { code, message } }
}

function warned (
  { log }: MarketplaceContext,
  { externalId, quantity }: QuantityChange,
  result: OfferWriteResult
): OfferWriteResult {
  if (result.frozen.length > 0) {
    log.warn(
      { externalId, quantity },
      'the seller froze the stock of this offer: it may be sold although the shop has none'
    )
  }
  return result
}
