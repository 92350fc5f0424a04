import { AdapterErrorCode, isAdapterError, RateLimitedError } from '@linker/sdk'
import type { ShopContext } from '../config.ts'
import type { OrderMemory, Progress } from './memory.ts'

// Longer than web servers and PHP let one request run.
const longestMs = 2 * 60_000
const askAgainMs = 15_000

/** Attempts to have the shop make an order, one after the other. A second one beside a slow first could make a second order, or have the first made at the prices of a cart that is being rewritten. */
export interface Attempts {
  /** Throws while the shop may still be at an earlier attempt, whose order does not show yet. */
  refuseWhileOpen (progress: Progress): void
  /** Begins an attempt: that it began is stored first, and taken back when the shop has answered that it makes none. */
  run (reference: string, progress: Progress, makeOrder: () => Promise<string>): Promise<Progress & { orderId: string }>
}

export function createAttempts (memory: OrderMemory, { clock }: Pick<ShopContext, 'clock'>): Attempts {
  return {
    refuseWhileOpen ({ placingSince }) {
      const ageMs = Math.abs(clock.now().getTime() - Date.parse(placingSince ?? ''))
      if (!(ageMs < longestMs)) return
      throw new RateLimitedError(`the shop has not answered the attempt of ${placingSince} to make this order and may still be at it`, { retryAfterMs: Math.min(askAgainMs, longestMs - ageMs) })
    },

    async run (reference, progress, makeOrder) {
      await memory.set(reference, { ...progress, placingSince: clock.now().toISOString() })
      try {
        return { ...progress, orderId: await makeOrder() }
      } catch (error) {
        if (isAnswer(error)) await memory.set(reference, progress)
        throw error
      }
    }
  }
}

/** Whether an error says that no order is being made: the shop refused it, or was never asked. What a gateway answers says neither. */
function isAnswer (error: unknown): boolean {
  if (!isAdapterError(error) || error.code === AdapterErrorCode.outcomeUnknown) return false
  return error.code !== AdapterErrorCode.transient || (error.status ?? 0) < 500
}
