import type { OneJobAdapter } from './one-job-hub.ts'

/** Its job does nothing, so a benchmark measures the hub's own work for a job. */
export const noop: OneJobAdapter = {
  platformType: 'noop',
  config: { type: 'object' },
  connect: '() => ({})',
  run: 'async () => ({})'
}

/** Its job takes the time that the connection names, and no work. */
export const sleeper: OneJobAdapter = {
  platformType: 'sleeper',
  config: { type: 'object', properties: { delayMs: { type: 'integer' } } },
  connect: '({ config }) => config',
  run: `async ({ delayMs = 0 }) => {
    if (delayMs > 0) await new Promise(resolve => setTimeout(resolve, delayMs))
    return {}
  }`
}
