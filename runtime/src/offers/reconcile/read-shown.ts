import { AdapterErrorCode, ExternalId, isAdapterError, Offer } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { parseAnswer } from '../../adapters/parse-answer.ts'
import type { OpenConnection } from '../../connections/open-connection.ts'
import type { Query } from '../../database/database.ts'
import { CapabilityNotSupportedException } from '../../errors.ts'
import type { OfferCapability } from '../offer-capability.ts'
import { visibleAfterMsOf } from '../written-offer.ts'
import { listExpected, type Expected } from './store.ts'

export type CallMarketplace = (
  capability: OfferCapability,
  method: 'listOffers' | 'getOffer',
  argument: unknown
) => Promise<unknown>

/** A page of the offers that a marketplace shows, and where the next page begins. */
export interface ShownPage {
  offers: Offer[]
  /** Offers that the hub asked for one by one and that the marketplace does not have. */
  absent: Expected[]
  /** Number of answers that do not fit the schema. Their offers keep what the hub knows of them. */
  unreadable: number
  next?: string
}

export interface ShownReader {
  /** Reads the next page of all offers: from the marketplace's list, or else offer by offer. */
  readPage(position: string | undefined): Promise<ShownPage>
  /** Reads only these offers; undefined when the marketplace can only list. */
  readEach: ((expected: readonly Expected[]) => Promise<ShownPage>) | undefined
  /** Whether `readPage` leaves out missing offers, instead of naming them in `absent`. */
  isList: boolean
  /** Name of the method that lists, for messages. */
  listing: string
}

const pageSize = 200
const singlyAtOnce = 50
const OfferPage = Type.Object({ items: Type.Array(Type.Unknown()), nextCursor: Type.Optional(ExternalId) })
const passing: ReadonlySet<string> = new Set([
  AdapterErrorCode.authentication,
  AdapterErrorCode.rateLimited,
  AdapterErrorCode.unavailable,
  AdapterErrorCode.configuration
])

export function createShownReader (
  query: Query,
  opened: OpenConnection,
  call: CallMarketplace,
  signal?: AbortSignal
): ShownReader {
  const { connection, adapter } = opened
  const capability = (['OfferManager', 'Marketplace'] as const).find(name => connection.capabilities.includes(name))
  if (capability === undefined) throw new CapabilityNotSupportedException(connection.adapterKey, 'OfferManager')
  const isList = capability === 'Marketplace' ||
    adapter.description.capabilities.OfferManager?.includes('listOffers') === true

  async function readListed (cursor: string | undefined): Promise<ShownPage> {
    const answer = await call(capability ?? 'OfferManager', 'listOffers', {
      limit: pageSize,
      ...(cursor === undefined ? {} : { cursor })
    })
    const { items, nextCursor } = parseAnswer(OfferPage, `${capability}.listOffers`, answer)
    const offers = items.filter((item): item is Offer => Value.Check(Offer, item))
    return {
      offers,
      absent: [],
      unreadable: items.length - offers.length,
      next: nextCursor
    }
  }

  async function readSingly (after: string | undefined): Promise<ShownPage> {
    const expected = await listExpected(query, {
      connectionId: connection.id,
      visibleAfterMs: visibleAfterMsOf(opened),
      after,
      limit: singlyAtOnce
    })
    const last = expected.length < singlyAtOnce ? undefined : expected.at(-1)?.id
    return { ...await readEach(expected), next: last }
  }

  async function readOne ({ externalId }: Expected): Promise<Offer> {
    const answer = await call(capability ?? 'OfferManager', 'getOffer', externalId)
    return parseAnswer(Offer, `${capability}.getOffer`, answer)
  }

  async function readEach (expected: readonly Expected[]): Promise<ShownPage> {
    const results = await Promise.allSettled(expected.map(readOne))
    const failures = results.flatMap(result =>
      result.status === 'rejected' && !isCode(result.reason, AdapterErrorCode.notFound)
        ? [result.reason as unknown]
        : []
    )
    const grave = failures.find(error => signal?.aborted === true || (isAdapterError(error) && passing.has(error.code)))
    // One unreadable offer must not stop the others. When all fail, the offers are not the cause.
    if (grave !== undefined || (failures.length > 0 && failures.length === results.length)) throw grave ?? failures[0]
    return {
      offers: results.flatMap(result => result.status === 'fulfilled' ? [result.value] : []),
      absent: expected.filter((_, index) => isAbsent(results[index])),
      unreadable: failures.length
    }
  }

  const canReadEach = capability === 'OfferManager' ||
    adapter.description.capabilities.Marketplace?.includes('getOffer') === true
  return {
    readPage: isList ? readListed : readSingly,
    readEach: canReadEach ? readEach : undefined,
    isList,
    listing: `${capability}.listOffers`
  }
}

function isAbsent (result: PromiseSettledResult<unknown> | undefined): boolean {
  return result?.status === 'rejected' && isCode(result.reason, AdapterErrorCode.notFound)
}

function isCode (error: unknown, code: string): boolean {
  return isAdapterError(error) && error.code === code
}
