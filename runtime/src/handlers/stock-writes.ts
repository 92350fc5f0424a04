import {
  AdapterError,
  AdapterErrorCode,
  isAdapterError,
  OfferWriteResult,
  QuantityChangeResult,
  TransientError,
  type QuantityChange
} from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { parseAnswer } from '../adapters/parse-answer.ts'
import { asError } from '../as-error.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
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

/** Calls a method of an adapter. */
export type CallOffers = (
  job: HandledJob,
  opened: OpenConnection,
  capability: OfferCapability,
  method: string,
  ...args: unknown[]
) => Promise<unknown>

interface Write extends Wanted {
  write: Omit<QuantityChange, 'commandId'>
}

const one = 'updateOfferQuantity'
const many = 'updateOfferQuantities'
/** The most changes in one call, by the contract of the capability. */
const mostChanges: Readonly<Record<OfferCapability, number>> = { OfferManager: 100, Marketplace: 1_000 }

const changeOf = ({ job, write }: Write): QuantityChange => ({ ...write, commandId: job.id })

const Results = Type.Array(QuantityChangeResult)
const codes: ReadonlyMap<string, AdapterErrorCode> = new Map(Object.values(AdapterErrorCode).map(code => [code, code]))

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
    return parseAnswer(
      OfferWriteResult,
      `${capability}.${one}`,
      await callOffers(write.job, write.opened, capability, one, changeOf(write))
    )
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
      const answer = await callOffers(jobOf(writes), first.opened, capability, many, [...wanted.values()])
      const results =
        new Map(parseAnswer(Results, `${capability}.${many}`, answer).map(result => [result.externalId, result]))
      return await Promise.all(writes.map(write =>
        settle(write, resultOf(`${capability}.${many}`, write.write.externalId, results.get(write.write.externalId)))
      ))
    } catch (error) {
      if (isRefusal(error)) return writeEach(writes)
      throw error
    }
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

function resultOf (
  method: string,
  externalId: string,
  result: QuantityChangeResult | undefined
): OfferWriteResult | Error {
  if (result === undefined) return new TransientError(`${method} returned no result for offer '${externalId}'`)
  const { applied, frozen, error } = result
  if (error === undefined) return { applied, frozen }
  const code = codes.get(error.code)
  return code === undefined
    ? new TransientError(`${error.message} (${error.code})`)
    : new AdapterError(code, error.message)
}
