import { stockOfEach } from '../support/order-line.ts'
import { sweepStock, waitUntilSettled, type SoldVariant, type StockLine } from '../support/stock-line.ts'
import { awaitOrders } from './await-orders.ts'
import { listJobs } from './jobs.ts'
import type { Desk } from './order-desks.ts'
import { judgeOrders, type DeskCounts } from './order-record.ts'

export interface RunJudgement {
  counts: {
    shopOrders: number,
    /** Orders of the shop that belong to no order of a marketplace, or to several. */
    doubled: number,
    dead: number
  }
  /** Marketplace B, then A if it takes part. */
  markets: { name: Desk['name'], counts: DeskCounts }[]
  explanations: string[]
}

/**
 * Lets the hub finish after the last order was placed and the last fault is over. Then compares
 * marketplaces, hub and shop.
 */
export async function judgeRun (
  line: StockLine,
  desks: readonly Desk[],
  sold: readonly SoldVariant[]
): Promise<RunJudgement> {
  const known = await awaitOrders(line, desks)
  await sweepStock(line)
  await waitUntilSettled(line)
  const { shopOrders, doubled, ofDesk, explanations } = judgeOrders({ line, known, desks, sold, stockOfEach })
  const dead = await listJobs(line.call, 'status=dead')
  return {
    counts: { shopOrders, doubled, dead: dead.length },
    markets: Array.from(ofDesk, ([{ name }, counts]) => ({ name, counts })),
    explanations: [...explanations, ...dead.slice(0, 5).map(job => JSON.stringify(job))]
  }
}
