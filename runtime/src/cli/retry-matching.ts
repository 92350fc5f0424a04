import { randomUUID } from 'node:crypto'
import type { OrderRetryBody, OrderRetrySummary } from '../orders/retries/schemas.ts'
import type { HubClient } from './hub-client.ts'

type Group = OrderRetrySummary['byGroup'][number]

/**
 * Retries all orders that meet a filter, in as many requests as that takes, and returns the sum of
 * their answers. Each request goes on behind the last order of the one before, so an order that
 * fails again meanwhile is not retried twice. `onPart` is called with the sum after each request.
 */
export async function retryMatching (
  hub: Pick<HubClient, 'call'>,
  body: Pick<OrderRetryBody, 'filter' | 'dryRun'>,
  onPart: (sum: OrderRetrySummary) => void
): Promise<OrderRetrySummary> {
  const ask = async (after?: string): Promise<OrderRetrySummary> =>
    await hub.call('POST', '/orders/retry', { ...body, after }, { idempotencyKey: randomUUID() }) as OrderRetrySummary
  let sum = await ask()
  onPart(sum)
  while (sum.next !== null) {
    sum = addSummaries(sum, await ask(sum.next))
    onPart(sum)
  }
  return sum
}

/** `more` is the answer of the request that went on behind the orders of `sum`. */
export function addSummaries (sum: OrderRetrySummary, more: OrderRetrySummary): OrderRetrySummary {
  const countsOf = <Counted extends { count: number }>(counted: readonly Counted[], keyOf: (item: Counted) => string) =>
    [...Map.groupBy(counted, keyOf).values()].flatMap(items => {
      const [first] = items
      return first === undefined ? [] : [{ ...first, count: items.reduce((total, { count }) => total + count, 0) }]
    }).toSorted((a, b) => b.count - a.count)
  return {
    ...more,
    matched: sum.matched - sum.remaining + more.matched,
    eligible: sum.eligible - sum.remaining + more.eligible,
    retried: sum.retried + more.retried,
    skipped: countsOf([...sum.skipped, ...more.skipped], ({ reason }) => reason),
    byGroup: countsOf(
      [...sum.byGroup, ...more.byGroup],
      ({ connectionId, status, code }: Group) => JSON.stringify([connectionId, status, code])
    ),
    sample: sum.sample
  }
}
