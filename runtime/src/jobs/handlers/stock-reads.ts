import { StockLevel } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenConnection } from '../../connections/connections.ts'
import { createBatch, type Batch } from '../../streams/batch.ts'
import type { RunningJob } from '../handler.ts'
import { parseAnswer } from './payload.ts'

/** Reads the stock of one product. */
export type ReadStock = (job: RunningJob, opened: OpenConnection, productExternalId: string) => Promise<StockLevel[]>

/** Calls a method of `InventoryMaster`. */
export type CallInventory = (job: RunningJob, opened: OpenConnection, method: 'getStock' | 'getStockMany', argument: unknown) => Promise<unknown>

interface Read { job: RunningJob, opened: OpenConnection, productExternalId: string }
interface Gathering { batch: Batch<Read, StockLevel[]>, window: Promise<void> | undefined, pending: number }

const Levels = Type.Array(StockLevel)
const gatherMs = 3
// The contract of `getStockMany`.
const mostProducts = 100

/**
 * Reads of one connection that come within a few milliseconds, or while another is under way, become one call when the adapter can read many at
 * once: a shop that announces a hundred changes in a minute is asked once.
 */
export function createStockReads (callInventory: CallInventory): ReadStock {
  const gatherings = new Map<string, Gathering>()

  async function readOne ({ job, opened, productExternalId }: Read): Promise<StockLevel[]> {
    return parseAnswer(Levels, 'InventoryMaster.getStock', await callInventory(job, opened, 'getStock', productExternalId))
  }

  /** What is absent from the answer is asked for by itself: `getStock` says why. */
  async function readMany (reads: readonly Read[]): Promise<(StockLevel[] | Error)[]> {
    const [first] = reads
    const ids = [...new Set(reads.map(({ productExternalId }) => productExternalId))]
    if (first === undefined || ids.length === 1) return Promise.all(reads.map(read => readOne(read).catch(asError)))
    const answer = await callInventory(jobOf(reads), first.opened, 'getStockMany', ids)
    const found = Map.groupBy(parseAnswer(Levels, 'InventoryMaster.getStockMany', answer), level => level.productExternalId)
    return Promise.all(reads.map(read => found.get(read.productExternalId) ?? readOne(read).catch(asError)))
  }

  return async function readStock (job, opened, productExternalId) {
    const read = { job, opened, productExternalId }
    if (opened.adapter.description.capabilities.InventoryMaster?.includes('getStockMany') !== true) return readOne(read)
    const key = `${opened.snapshot.id}:${opened.snapshot.version}:${opened.adapter.version}`
    const gathering: Gathering = gatherings.get(key) ?? { batch: createBatch({ maxItems: mostProducts, maxRunning: 1, maxWaiting: 10_000, run: readMany }), window: undefined, pending: 0 }
    gatherings.set(key, gathering)
    gathering.pending += 1
    try {
      gathering.window ??= sleep(gatherMs).then(() => { gathering.window = undefined })
      await gathering.window
      return await gathering.batch.add(read)
    } finally {
      gathering.pending -= 1
      if (gathering.pending === 0) gatherings.delete(key)
    }
  }
}

/** The call goes on while one of its jobs does, and carries a request id when it is theirs all. What it wants stored ends with the first. */
function jobOf (reads: readonly Read[]): RunningJob {
  const jobs = reads.map(({ job }) => job)
  const [first] = jobs
  if (first === undefined) throw new TypeError('a call of no job')
  const controller = new AbortController()
  let left = jobs.length
  function leave (): void {
    left -= 1
    if (left === 0) controller.abort(first?.signal.reason)
  }
  for (const { signal } of jobs) {
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  }
  const { requestId, ...rest } = first
  return {
    ...rest,
    ...(requestId !== undefined && jobs.every(job => job.requestId === requestId) ? { requestId } : {}),
    signal: controller.signal,
    deadline: Math.max(...jobs.map(({ deadline }) => deadline)),
    servedBy (adapter) { for (const job of jobs) job.servedBy(adapter) }
  }
}

function asError (error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
