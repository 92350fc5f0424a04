import type { Query } from '../database/database.ts'
import { toStorable } from '../database/storable-json.ts'
import { addHistory } from './order-row.ts'

const appendProblem = `
  update orders set problems = problems || $2::jsonb, updated_at = now()
  where id = $1 and not problems @> $2::jsonb`

export async function addProblem (query: Query, orderId: string, message: string): Promise<void> {
  const problem = toStorable(message)
  await query(appendProblem, [orderId, JSON.stringify([problem])])
  await addHistory(query, orderId, 'problem', { problem })
}

const removeProblems = `
  update orders set
    problems = (
      select coalesce(jsonb_agg(problem order by position), '[]')
      from jsonb_array_elements_text(orders.problems) with ordinality as said (problem, position)
      where not exists (
        select from unnest($2::text[]) as beginning
        where starts_with(problem, beginning)
      )
    )
  where id = $1 and problems <> '[]'`

/** Removes the problems of an order that begin with one of these texts. */
export async function takeBackProblems (query: Query, orderId: string, beginnings: readonly string[]): Promise<void> {
  await query(removeProblems, [orderId, beginnings])
}
