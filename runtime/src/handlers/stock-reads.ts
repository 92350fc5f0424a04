import { StockLevel } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { parseAnswer } from '../adapters/parse-answer.ts'
import { asError } from '../as-error.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
import { createCombinedCalls, jobOf, type CombinedCalls, type Wanted } from './combine-calls.ts'
import type { HandledJob } from './kept-effects.ts'

export interface StockReads extends Pick<CombinedCalls<Read, StockLevel[]>, 'expect'> {
  /** Reads the stock of one product. */
  read(job: HandledJob, opened: OpenConnection, productExternalId: string): Promise<StockLevel[]>
}

/** Calls a method of `InventoryMaster`. */
export type CallInventory = (
  job: HandledJob,
  opened: OpenConnection,
  method: 'getStock' | 'getStockMany',
  argument: unknown
) => Promise<unknown>

interface Read extends Wanted {
  productExternalId: string
}

const Levels = Type.Array(StockLevel)
// The contract of `getStockMany`.
const mostProducts = 100

/**
 * Reads of one connection become one call when the adapter can read many at once: a shop that
 * announces a hundred changes in a minute is asked once.
 */
export function createStockReads (callInventory: CallInventory): StockReads {
  const { expect, add } = createCombinedCalls(mostProducts, readMany)

  async function readOne ({ job, opened, productExternalId }: Read): Promise<StockLevel[]> {
    return parseAnswer(
      Levels,
      'InventoryMaster.getStock',
      await callInventory(job, opened, 'getStock', productExternalId)
    )
  }

  /** Reads each product that the answer lacks by itself: `getStock` gives the reason. */
  async function readMany (reads: readonly Read[]): Promise<(StockLevel[] | Error)[]> {
    const [first] = reads
    const ids = [...new Set(reads.map(({ productExternalId }) => productExternalId))]
    if (first === undefined || ids.length === 1) return Promise.all(reads.map(read => readOne(read).catch(asError)))
    const answer = await callInventory(jobOf(reads), first.opened, 'getStockMany', ids)
    const found = Map.groupBy(
      parseAnswer(Levels, 'InventoryMaster.getStockMany', answer),
      level => level.productExternalId
    )
    return Promise.all(reads.map(read => found.get(read.productExternalId) ?? readOne(read).catch(asError)))
  }

  return {
    expect,
    async read (job, opened, productExternalId) {
      const read = { job, opened, productExternalId }
      return opened.adapter.description.capabilities.InventoryMaster?.includes('getStockMany') === true
        ? add(read)
        : readOne(read)
    }
  }
}
