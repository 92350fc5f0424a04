export interface RegularWork {
  /** Ends early when the signal is aborted. */
  run(this: void, signal: AbortSignal): Promise<unknown>
  everyMs: number
  /** The hub logs this message when a run fails. */
  warning: string
  log: { warn(fields: object, message: string): void }
}

export interface RegularRuns {
  /** Starts a run, unless one is under way or they were stopped. */
  runNow(): void
  /** Starts no more runs, aborts the signal, and resolves when the present run has ended. */
  stop(): Promise<void>
}

/**
 * Runs work every `everyMs`, but never twice at the same time: a turn is left out while a run is
 * under way. The next turn comes even when a run fails. The timer does not keep the process alive.
 */
export function runRegularly ({ run, everyMs, warning, log }: RegularWork): RegularRuns {
  const stopping = new AbortController()
  let running: Promise<void> | undefined

  function runNow (): void {
    if (stopping.signal.aborted) return
    running ??= attempt().finally(() => {
      running = undefined
    })
  }

  async function attempt (): Promise<void> {
    try {
      await run(stopping.signal)
    } catch (error) {
      log.warn({ err: error }, warning)
    }
  }

  const timer = setInterval(runNow, everyMs)
  timer.unref()
  return {
    runNow,
    async stop () {
      clearInterval(timer)
      stopping.abort()
      await running
    }
  }
}
