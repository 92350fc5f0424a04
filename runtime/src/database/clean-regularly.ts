import type { FastifyInstance } from 'fastify'

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
  const closing = new AbortController()
  let running: Promise<void> | undefined

  function run (): void {
    running ??= clean(closing.signal).then(() => undefined, (error: unknown) => {
      log.warn({ err: error }, `${work} failed; trying again later`)
    }).finally(() => {
      running = undefined
    })
  }

  const timer = setInterval(run, everyMs)
  timer.unref()
  app.addHook('onReady', async () => {
    run()
  })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    closing.abort()
    await running
  })
}
