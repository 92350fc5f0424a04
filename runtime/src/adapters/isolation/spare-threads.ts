import type { HostServices } from '@linker/sdk/host'
import { isDeepStrictEqual } from 'node:util'
import type { ThreadData } from './protocol.ts'
import { startThread, type CarrierThread } from './thread.ts'

/**
 * Keeps a thread that has loaded the SDK and waits for an adapter. A thread takes longer to start
 * than most adapters take to import.
 */
export interface SpareThreads {
  /** Returns the spare thread when it was prepared for the same data, else a new thread. */
  start(data: ThreadData, services: HostServices): CarrierThread
  /** Starts a spare thread for the data of the last start. */
  prepare(): void
  close(): Promise<void>
}

interface Spare {
  data: ThreadData
  thread: CarrierThread
}

export function createSpareThreads (): SpareThreads {
  let last: [data: ThreadData, services: HostServices] | undefined
  let spare: Spare | undefined

  async function drop (): Promise<void> {
    const dropped = spare
    spare = undefined
    await dropped?.thread.end('closed')
  }

  return {
    start (...wanted) {
      last = wanted
      const [data] = wanted
      const isFit = spare !== undefined && spare.thread.endedWith() === undefined &&
        isDeepStrictEqual(spare.data, data)
      if (!isFit || spare === undefined) {
        drop().catch(() => undefined)
        return startThread(...wanted)
      }
      const { thread } = spare
      spare = undefined
      return thread
    },
    prepare () {
      if (last === undefined || spare !== undefined) return
      spare = { data: last[0], thread: startThread(...last) }
    },
    close: drop
  }
}
