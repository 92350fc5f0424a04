import type { OrderStatus } from '../status.ts'

/** An order that can be retried is not finished and does not go on by itself. */
export const retryableStatuses = ['awaiting_mapping', 'failed'] as const satisfies readonly OrderStatus[]
export type RetryableStatus = typeof retryableStatuses[number]

/** The statuses of orders for which there is nothing to retry. */
export const otherStatuses = [
  'pending',
  'ready',
  'created',
  'shipped',
  'delivered',
  'cancelled',
  'returned',
  'elsewhere'
] as const satisfies readonly Exclude<OrderStatus, RetryableStatus>[]

/**
 * Why an order was not retried: its status; `not-created`: no shop or several shops would get it;
 * `already-retried`: an earlier try of the same request did it; its marketplace is deleted or
 * disabled; `retry-failed`: the hub failed, and its log shows the error.
 */
export const skipReasons = [
  ...otherStatuses,
  'not-created',
  'already-retried',
  'connection-deleted',
  'connection-disabled',
  'retry-failed'
] as const
export type SkipReason = typeof skipReasons[number]
