import {
  AdapterErrorCode,
  isAdapterError,
  OfferWriteResult,
  QuantityChangeResult,
  RateLimitedError,
  TransientError,
  WriteUnderWayError,
  type QuantityChange
} from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { parseAnswer } from '../adapters/parse-answer.ts'
import { asError } from '../as-error.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
import { errorOfItem, type UsedCredentials } from '../jobs/refused-credentials.ts'
import type { OfferCapability } from '../offers/offer-capability.ts'
import { createCombinedCalls, jobOf, type CombinedCalls, type Wanted } from './combine-calls.ts'
import type { HandledJob } from './kept-effects.ts'

export interface StockWrites extends Pick<CombinedCalls<Write, OfferWriteResult>, 'expect'> {
  /**
   * Sets the quantity of one offer. The id of the job identifies the change: every run of the job
   * has the same id, and the next version of the stock has another.
   */
  write(
    job: HandledJob,
    opened: OpenConnection,
    capability: OfferCapability,
    write: Omit<QuantityChange, 'commandId'>
  ): Promise<OfferWriteResult>
}

/** An answer, and the credentials with which the adapter got it. */
export interface Answer {
  value: unknown
  used: UsedCredentials
}

/** Calls a method of an adapter. */
export type CallOffers = (
  job: HandledJob,
  opened: OpenConnection,
  capability: OfferCapability,
  method: string,
  ...args: unknown[]
) => Promise<Answer>

interface Write extends Wanted {
  write: Omit<QuantityChange, 'commandId'>
}

const one = 'updateOfferQuantity'
const many = 'updateOfferQuantities'
/** The most changes in one call, by the contract of the capability. */
const mostChanges: Readonly<Record<OfferCapability, number>> = { OfferManager: 100, Marketplace: 1_000 }

const changeOf = ({ job, write }: Write): QuantityChange => ({ ...write, commandId: job.id })

const Results = Type.Array(QuantityChangeResult)

/** Writes of one connection become one call when the adapter can write many at once. */
export function createStockWrites (callOffers: CallOffers): StockWrites {
  const writers = {
    OfferManager: createWriter(callOffers, 'OfferManager'),
    Marketplace: createWriter(callOffers, 'Marketplace')
  }
  return {
    // The capability is known only when the connection is opened.
    expect (connectionId) {
      const arrivals = Object.values(writers).map(({ expect }) => expect(connectionId))
      return () => {
        for (const arrive of arrivals) arrive()
      }
    },
    write: (job, opened, capability, write) => writers[capability].write({ job, opened, write })
  }
}

function createWriter (callOffers: CallOffers, capability: OfferCapability) {
  const { expect, add } = createCombinedCalls(mostChanges[capability], writeMany)

  async function writeOne (write: Write): Promise<OfferWriteResult> {
    const { value } = await callOffers(write.job, write.opened, capability, one, changeOf(write))
    return parseAnswer(OfferWriteResult, `${capability}.${one}`, value)
  }

  function writeEach (writes: readonly Write[]): Promise<(OfferWriteResult | Error)[]> {
    return Promise.all(writes.map(write => writeOne(write).catch(asError)))
  }

  /**
   * When the platform refuses the whole call, write each offer by itself: one bad offer must not
   * end the jobs of the others.
   */
  async function writeMany (writes: readonly Write[]): Promise<(OfferWriteResult | Error)[]> {
    const [first, second] = writes
    if (first === undefined || second === undefined) return writeEach(writes)
    const wanted = new Map(writes.map(write => [write.write.externalId, changeOf(write)]))
    try {
      const { value, used } = await callOffers(jobOf(writes), first.opened, capability, many, [...wanted.values()])
      const results =
        new Map(parseAnswer(Results, `${capability}.${many}`, value).map(result => [result.externalId, result]))
      return await Promise.all(writes.map(write => {
        const result = results.get(write.write.externalId)
        return settle(write, result === undefined ? unanswered(write) : resultOf(result, used))
      }))
    } catch (error) {
      if (isRefusal(error)) return writeEach(writes)
      throw error
    }
  }

  function unanswered ({ write: { externalId } }: Write): Error {
    return new TransientError(`${capability}.${many} returned no result for offer '${externalId}'`)
  }

  /**
   * A platform may refuse many offers because of one of them. Before a refusal ends a job, write
   * the offer once more alone.
   */
  async function settle (write: Write, result: OfferWriteResult | Error): Promise<OfferWriteResult | Error> {
    return isRefusal(result) ? writeOne(write).catch(asError) : result
  }

  return {
    expect,
    async write (write: Write): Promise<OfferWriteResult> {
      return write.opened.adapter.description.capabilities[capability]?.includes(many) === true
        ? add(write)
        : writeOne(write)
    }
  }
}

function isRefusal (error: unknown): boolean {
  return isAdapterError(error) && (error.code === AdapterErrorCode.rejected || error.code === AdapterErrorCode.notFound)
}

function resultOf ({ applied, frozen, error }: QuantityChangeResult, used: UsedCredentials): OfferWriteResult | Error {
  if (error === undefined) return { applied, frozen }
  const { code, message } = error
  if (code === AdapterErrorCode.writeUnderWay) return new WriteUnderWayError(message, error)
  if (code === AdapterErrorCode.rateLimited) return new RateLimitedError(message, error)
  return errorOfItem(code, message, used) ?? new TransientError(`${message} (${code})`)
}
