import type { Query } from '../database/database.ts'
import { toStorable } from '../database/storable-json.ts'
import type { OrderProblem } from './problem-codes.ts'
import { addHistory, appendProblem } from './store.ts'

/** Notes a problem on an order, unless it stands there already, and in its history. */
export async function addProblem (query: Query, orderId: string, problem: OrderProblem): Promise<void> {
  const storable = toStorable(problem)
  await appendProblem(query, orderId, storable)
  await addHistory(query, orderId, 'problem', { problem: storable.detail })
}
