import { constants } from 'node:os'

/**
 * Lets the process exit on the usual signals, so that its exit handlers run: the default end by a
 * signal skips them. Returns the function that takes the handlers away.
 */
export function exitOnSignals (): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const exit = (signal: NodeJS.Signals): void => {
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of signals) process.once(signal, exit)
  return () => {
    for (const signal of signals) process.off(signal, exit)
  }
}
