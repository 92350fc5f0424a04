import type { Log } from '@linker/sdk'
import { Session, type HeapProfiler } from 'node:inspector'
import { getHeapStatistics } from 'node:v8'

export interface GrowthLimits {
  everyMs: number
  /** How far the memory of the process may grow before the watch looks which adapter keeps it. */
  calmBytes: number
  /** The hub moves an adapter that keeps more than this of the growth to a thread. */
  mostBytes: number
}

export interface GrowthOptions {
  log: Pick<Log, 'warn' | 'error'>
  /** Moves an adapter (`key@version`) to a thread, whose memory is bounded. */
  isolate(adapter: string): void
  limits?: Partial<GrowthLimits>
}

/** Finds the inline adapter that keeps more and more of the hub's memory. */
export interface GrowthWatch {
  /** Adds an adapter that runs in this thread, with the folder of its code as a URL. */
  add(adapter: string, folder: string): void
  /**
   * Call it when a call of the adapter begins, and call the returned function when that call ends.
   */
  begin(adapter: string): () => void
  close(): void
}

const megabyte = 1024 * 1024
const defaultLimits: GrowthLimits = { everyMs: 5_000, calmBytes: 256 * megabyte, mostBytes: 192 * megabyte }
const samplingInterval = 262_144

const nothing = (): void => undefined

interface Watching {
  session: Session
  /** Memory of the process when the watch began. */
  since: { heap: number, external: number }
  lookedAt: number
  /** Bytes outside of the heap that the calls of each adapter added. */
  external: Map<string, number>
}

/**
 * While the memory is as large as after the start, the watch costs one look in five seconds. When
 * the memory has grown, V8 samples the allocations: the stack of an allocation that is still alive
 * shows which adapter made it. V8 does not sample buffers, so the watch counts the buffer bytes
 * that calls leave behind.
 */
export function watchGrowth ({ log, isolate, limits: given }: GrowthOptions): GrowthWatch {
  const limits = { ...defaultLimits, ...given }
  const folders = new Map<string, string>()
  const named = new Set<string>()
  let calm = Infinity
  let watching: Watching | undefined

  function tick (): void {
    const { heap, external } = memory()
    const total = heap + external
    calm = Math.min(calm, total)
    if (watching === undefined) {
      if (folders.size > named.size && total - calm > limits.calmBytes) watching = begin({ heap, external })
      return
    }
    if (total - calm < limits.calmBytes / 2) return end()
    if (total - watching.lookedAt > limits.mostBytes) look(watching, total)
  }

  function begin (since: Watching['since']): Watching {
    const session = new Session()
    session.connect()
    session.post('HeapProfiler.startSampling', { samplingInterval })
    return { session, since, lookedAt: since.heap + since.external, external: new Map() }
  }

  function end (): void {
    watching?.session.disconnect()
    watching = undefined
  }

  function look (looked: Watching, total: number): void {
    looked.lookedAt = total
    // V8 collects garbage first, so the profile has only memory that is kept.
    looked.session.post('HeapProfiler.getSamplingProfile', (error, result) => {
      if (error !== null || watching !== looked) return
      const { external } = memory()
      const kept = keptBy(result.profile.head, folders)
      const haveBuffersGrown = external - looked.since.external > limits.mostBytes
      for (const adapter of folders.keys()) {
        const heapBytes = kept.get(adapter) ?? 0
        const bufferBytes = haveBuffersGrown ? looked.external.get(adapter) ?? 0 : 0
        if (heapBytes + bufferBytes > limits.mostBytes) name(adapter, heapBytes, bufferBytes)
      }
    })
  }

  function name (adapter: string, heapBytes: number, bufferBytes: number): void {
    if (named.has(adapter)) return
    named.add(adapter)
    log.error({ adapter, heapBytes, bufferBytes }, `the adapter ${adapter} keeps more and more of the hub's memory`)
    isolate(adapter)
  }

  const ticking = setInterval(tick, limits.everyMs).unref()
  return {
    add (adapter, folder) {
      folders.set(adapter, folder)
    },
    begin (adapter) {
      const counted = watching?.external
      if (counted === undefined) return nothing
      const before = memory().external
      return () => {
        counted.set(adapter, (counted.get(adapter) ?? 0) + memory().external - before)
      }
    },
    close () {
      clearInterval(ticking)
      end()
    }
  }
}

type Node = HeapProfiler.SamplingHeapProfileNode

function memory (): { heap: number, external: number } {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
  return { heap, external }
}

/**
 * Bytes that are still there, by the adapter whose code stands innermost on the stack that
 * allocated them.
 */
function keptBy (head: Node, folders: ReadonlyMap<string, string>): Map<string, number> {
  const kept = new Map<string, number>()
  const waiting: { node: Node, owner: string | undefined }[] = [{ node: head, owner: undefined }]
  for (const { node, owner: outer } of waiting) {
    const owner = ownerOf(node.callFrame.url, folders) ?? outer
    if (owner !== undefined) kept.set(owner, (kept.get(owner) ?? 0) + node.selfSize)
    for (const child of node.children) waiting.push({ node: child, owner })
  }
  return kept
}

function ownerOf (url: string, folders: ReadonlyMap<string, string>): string | undefined {
  for (const [adapter, folder] of folders) {
    if (url.startsWith(folder)) return adapter
  }
  return undefined
}
