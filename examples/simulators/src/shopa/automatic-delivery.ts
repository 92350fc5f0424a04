/**
 * Makes the sender run by itself: `intervalMs` after there is something to send, and again as long
 * as anything is left.
 */
export function createAutomaticDelivery (deliver: () => Promise<unknown>, hasUnfinished: () => boolean) {
  let intervalMs: number | undefined
  let timer: NodeJS.Timeout | undefined
  let isRunning = false

  function start (everyMs: number): void {
    stop()
    intervalMs = everyMs
    wake()
  }

  function stop (): void {
    clearTimeout(timer)
    timer = undefined
    intervalMs = undefined
  }

  /** Plans a run. Call it after every change of the outbox. */
  function wake (): void {
    if (intervalMs === undefined || timer !== undefined || isRunning || !hasUnfinished()) return
    timer = setTimeout(run, intervalMs)
  }

  async function run (): Promise<void> {
    timer = undefined
    isRunning = true
    await deliver()
    isRunning = false
    wake()
  }

  return { start, stop, wake }
}
