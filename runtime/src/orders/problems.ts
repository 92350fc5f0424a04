import type { Query } from '../database/database.ts'
import { toStorable } from '../database/storable-json.ts'
import { addHistory } from './order-row.ts'
import type { OrderProblem, OrderProblemCode } from './problem-codes.ts'

const appendProblem = `
  update orders set problems = problems || $2::jsonb, updated_at = now()
  where id = $1 and not problems @> $2::jsonb`

/** Notes a problem on an order, unless it stands there already, and in its history. */
export async function addProblem (query: Query, orderId: string, problem: OrderProblem): Promise<void> {
  const storable = toStorable(problem)
  await query(appendProblem, [orderId, JSON.stringify([storable])])
  await addHistory(query, orderId, 'problem', { problem: storable.detail })
}

const removeProblems = `
  update orders set
    problems = (
      select coalesce(jsonb_agg(problem order by position), '[]')
      from jsonb_array_elements(orders.problems) with ordinality as noted (problem, position)
      where coalesce(problem ->> 'code', '') <> all($2::text[])
    )
  where id = $1 and problems <> '[]'`

/** Removes the problems of these codes from an order, because they do not hold any more. */
export async function takeBackProblems (
  query: Query,
  orderId: string,
  codes: readonly OrderProblemCode[]
): Promise<void> {
  await query(removeProblems, [orderId, codes])
}
