import {
  AdapterErrorCode,
  TransientError,
  type HttpClient,
  type OfferWriteResult,
  type StockWrite,
  type StockWriteResult
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

export async function updateStock (
  http: HttpClient,
  context: MarketplaceContext,
  { externalId, quantity }: StockWrite
): Promise<OfferWriteResult> {
  refuseIfAny(quantityProblems(quantity))
  const body = { stock: toStock(quantity) }
  const answer = await http.request({ method: 'PATCH', path: productPath(externalId), body })
  return warned(context, { externalId, quantity }, readWriteResult(body, answer))
}

export async function updateStockMany (
  http: HttpClient,
  context: MarketplaceContext,
  writes: readonly StockWrite[]
): Promise<StockWriteResult[]> {
  // Leave invalid items out: one of them would make the marketplace refuse the whole batch.
  const refused = writes.flatMap(write => {
    const message = isExternalId(write.externalId)
      ? quantityProblems(write.quantity)[0]?.message
      : 'this cannot be the external id of an offer'
    return message === undefined ? [] : [failed(write.externalId, AdapterErrorCode.rejected, message)]
  })
  const sent = writes.filter(({ externalId }) => !refused.some(result => result.externalId === externalId))
  if (sent.length === 0) return refused

  const body = sent.map(({ externalId, quantity }) => ({ externalId, stock: toStock(quantity) }))
  const answer = await http.json({ method: 'PATCH', path: 'products/batch-update', body })
  if (!Array.isArray(answer)) {
    throw new TransientError('the marketplace answered a batch without a status for each item')
  }
  const items = new Map(answer.filter(item => Value.Check(Item, item)).map(item => [item.externalId, item]))
  return [...refused, ...sent.map(write => readItem(context, write, items.get(write.externalId)))]
}

function readItem (context: MarketplaceContext, write: StockWrite, item: Item | undefined): StockWriteResult {
  const { externalId } = write
  if (item === undefined) {
    return failed(externalId, AdapterErrorCode.transient, 'the marketplace said nothing about this item of the batch')
  }
  const { status, result, error } = item
  if (status >= 200 && status < 300) {
    return { externalId, ...warned(context, write, compareFields({ stock: 0 }, result)) }
  }
  const said = error?.message === undefined ? '' : `: ${error.message.slice(0, 300)}`
  return failed(externalId, codeOf(status), `the marketplace answered this item of the batch with ${status}${said}`)
}

function codeOf (status: number): AdapterErrorCode {
  if (status === 401 || status === 403) return AdapterErrorCode.authentication
  if (status === 404) return AdapterErrorCode.notFound
  const isTransient = status < 400 || status >= 500 || [408, 425, 429].includes(status)
  return isTransient ? AdapterErrorCode.transient : AdapterErrorCode.rejected
}

function failed (externalId: string, code: AdapterErrorCode, message: string): StockWriteResult {
  return { externalId, applied: [], frozen: [], error: { code, message } }
}

function warned (
  { log }: MarketplaceContext,
  { externalId, quantity }: StockWrite,
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
