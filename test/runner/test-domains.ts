import { executionAsyncResource } from 'node:async_hooks'

// The test runner loads this module in place of `async-hook-domain`, with which tap finds the test
// that an uncaught error belongs to. That module registers each promise and each timer of the
// process in async hooks, and an `await` then takes ten times its processor time. The tests of a
// process run one after the other, so the error belongs to the innermost test that has begun.

type OnError = (error: unknown, origin: string) => void

/** The resource in which tap makes the domain of a test. */
interface TestResource {
  test?: { readonly started: boolean }
}

/** In the order in which tap made them: an outer test comes before the tests inside it. */
const domains: Domain[] = []

export class Domain {
  readonly onerror: OnError
  readonly #test: TestResource['test']

  constructor (onerror: OnError) {
    this.onerror = onerror
    this.#test = (executionAsyncResource() as TestResource).test
    if (domains.length === 0) process.on('uncaughtExceptionMonitor', report)
    domains.push(this)
  }

  /** A test that waits for its turn exists already. The domain of the process has no test. */
  get hasBegun (): boolean {
    return this.#test?.started !== false
  }

  destroy (): void {
    const index = domains.indexOf(this)
    if (index === -1) return
    domains.splice(index, 1)
    if (domains.length === 0) process.off('uncaughtExceptionMonitor', report)
  }
}

/** Reports an error to its test, and keeps Node from ending the process. */
function report (error: unknown, origin: string): void {
  // Another listener handles the error, for instance the hub.
  if (process.hasUncaughtExceptionCaptureCallback() || process.listenerCount('uncaughtException') > 0) return
  const domain = domains.findLast(({ hasBegun }) => hasBegun)
  if (domain === undefined) return
  domain.onerror(error, origin)
  process.setUncaughtExceptionCaptureCallback(() => {
    process.setUncaughtExceptionCaptureCallback(null)
  })
}
