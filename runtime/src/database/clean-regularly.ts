import type { FastifyInstance } from 'fastify'
import { runRegularly } from '../run-regularly.ts'

export interface CleaningOptions {
  /** Ends early when the signal is aborted. */
  clean(this: void, signal: AbortSignal): Promise<unknown>
  everyMs: number
  /** Names the work in the log, such as `removing old jobs`. */
  work: string
  log: { warn(fields: object, message: string): void }
}

/**
 * Cleans as soon as the hub is ready, and then again and again: a hub that is stopped before the
 * first interval is over would otherwise never clean. The hub does not wait for the first cleaning.
 */
export function cleanRegularly (app: FastifyInstance, { clean, everyMs, work, log }: CleaningOptions): void {
  const cleaning = runRegularly({ run: clean, everyMs, warning: `${work} failed; trying again later`, log })
  app.addHook('onReady', async () => {
    cleaning.runNow()
  })
  app.addHook('onClose', () => cleaning.stop())
}
