import { Session } from 'node:inspector/promises'

const mostUtilization = 0.2

export interface ReleaseOptions {
  /** Default: 2 s. */
  lookEveryMs?: number
  collect?(): Promise<void>
}

/**
 * Gives the memory that only the start needed back to the system, as soon as the event loop has
 * been nearly idle for `lookEveryMs`. V8 collects garbage only when a program asks for memory, so
 * an idle hub would keep it for hours. A busy hub needs it, and is not made to wait.
 */
export function releaseStartMemory ({ lookEveryMs = 2_000, collect = collectGarbage }: ReleaseOptions = {}): void {
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (utilization > mostUtilization) return
    clearInterval(timer)
    // A hub that cannot collect runs on as before.
    collect().catch(() => undefined)
  }, lookEveryMs).unref()
}

/**
 * Collects all garbage and shrinks the part of the heap for new objects. It takes a tenth of a
 * second, in which the event loop waits. Only a debugger can ask for it without a flag of Node.
 */
export async function collectGarbage (): Promise<void> {
  const session = new Session()
  session.connect()
  try {
    await session.post('HeapProfiler.collectGarbage')
  } finally {
    session.disconnect()
  }
}
