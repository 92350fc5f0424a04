import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

// The thread of an adapter, as the hub runs it and as the conformance suite tests it. Hub and suite
// each define their own messages over its port.

/** Why a thread ended. */
export type ThreadEnd =
  | { kind: EndReason }
  | { kind: 'exit', code: number }
  | { kind: 'error', error: Error }

/** Why its host ends a thread. V8 ends a thread itself when its heap grows too large. */
export type EndReason = 'closed' | 'hung' | 'memory' | 'flood'

/** Bytes that V8 reports for a thread: its heap, and the buffers outside of it. */
export interface ThreadMemory {
  heap: number
  /** V8 does not limit it. */
  external: number
}

/** Time that a thread has spent, by which a host limits its work. */
export interface ThreadTime {
  /** Processor time so far. */
  cpuMs(): Promise<number>
  /** Time in which its event loop had nothing to do. */
  idleMs(): number
}

export interface AdapterThread extends ThreadTime {
  readonly worker: Worker
  /** Why the thread is gone; undefined while it lives. Calls under way reject after this is set. */
  endedWith(): ThreadEnd | undefined
  onEnd(listener: (end: ThreadEnd) => void): void
  /** Sets whether the thread keeps the process alive; at first it does not. */
  hold(isHeld: boolean): void
  /** Undefined before Node 24. */
  memory(): Promise<ThreadMemory | undefined>
  end(reason: EndReason): Promise<void>
}

export interface AdapterThreadOptions {
  /** The module of the thread. It deletes NODE_COMPILE_CACHE before it imports an adapter. */
  entry: URL
  data: unknown
  /** Shown by debuggers. */
  name: string
  /** Options of Node for the thread; by default those of the process. */
  execArgv?: readonly string[]
}

/** The limits of V8 for the thread of an adapter. */
export const threadLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

// The folder where the operator wants Node to keep compiled modules. Node reads the variable when
// the thread starts.
const { NODE_COMPILE_CACHE: compileCache } = process.env
const startEnvironment = compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache }

const longestAnswerMs = 500

/**
 * Starts a thread with bounded memory, and an environment that is empty but for NODE_COMPILE_CACHE.
 * Its output never reaches the terminal, because the output could control the terminal. A host that
 * wants the output listens to `worker.stdout` and `worker.stderr`.
 */
export function startAdapterThread ({ entry, data, name, execArgv }: AdapterThreadOptions): AdapterThread {
  const worker = new Worker(entry, {
    workerData: data,
    env: startEnvironment,
    resourceLimits: threadLimits,
    name,
    stdout: true,
    stderr: true,
    execArgv: execArgv?.slice()
  })
  worker.stdout.resume()
  worker.stderr.resume()
  worker.unref()
  const { endedWith, onEnd, foretell } = watchEnd(worker)
  const { asked, answered } = trackQuestions()

  return {
    worker,
    endedWith,
    onEnd,
    hold (isHeld) {
      if (isHeld) worker.ref()
      else worker.unref()
    },
    async cpuMs () {
      // Before Node 24.6 a thread does not report its processor time: use the time in which it was
      // not idle.
      if (typeof worker.cpuUsage !== 'function') return worker.performance.eventLoopUtilization().active
      const { user, system } = await asked(worker.cpuUsage()).catch(() => ({ user: 0, system: 0 }))
      return (user + system) / 1_000
    },
    async memory () {
      if (typeof worker.getHeapStatistics !== 'function') return undefined
      const statistics = await asked(worker.getHeapStatistics()).catch(() => undefined)
      if (statistics === undefined) return undefined
      return { heap: statistics.total_heap_size, external: statistics.external_memory }
    },
    idleMs: () => worker.performance.eventLoopUtilization().idle,
    async end (reason) {
      foretell({ kind: reason })
      // Wait for the open questions: otherwise V8 would put a question to a thread that is gone.
      const over = new AbortController()
      await Promise.race([answered(), sleep(longestAnswerMs, undefined, { signal: over.signal })])
      over.abort()
      await worker.terminate()
    }
  }
}

function watchEnd (worker: Worker) {
  /** The reason that was known before the thread was gone. */
  let foretold: ThreadEnd | undefined
  let end: ThreadEnd | undefined
  const listeners: ((end: ThreadEnd) => void)[] = []
  worker.on('error', (error: Error & { code?: string }) => {
    foretold ??= error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? { kind: 'memory' } : { kind: 'error', error }
  })
  worker.once('exit', code => {
    end = foretold ?? { kind: 'exit', code }
    for (const listener of listeners) listener(end)
  })
  return {
    endedWith: () => end,
    onEnd (listener: (end: ThreadEnd) => void) {
      listeners.push(listener)
    },
    foretell (reason: ThreadEnd) {
      foretold ??= reason
    }
  }
}

/** Keeps the questions to V8 that are not answered yet. */
function trackQuestions () {
  const questions = new Set<Promise<unknown>>()
  return {
    asked<Answer> (question: Promise<Answer>): Promise<Answer> {
      questions.add(question)
      question.catch(() => undefined).finally(() => {
        questions.delete(question)
      })
      return question
    },
    answered: () => Promise.allSettled(questions)
  }
}
