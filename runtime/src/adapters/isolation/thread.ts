import { createBirpc, type BirpcReturn } from 'birpc'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { mostAnswerBytes, sizeUpTo, type HostServices } from '@linker/sdk/host'
import type { HubFunctions, ImportReport, MemoryReport, Outcome, ThreadData, ThreadFunctions } from './protocol.ts'

// birpc pairs questions and answers over the port. This file deals with workers that end in the
// middle of a call.

/** Why a thread ended. */
export type ThreadEnd =
  | { kind: EndReason }
  | { kind: 'exit', code: number }
  | { kind: 'error', error: Error }

/** Why the hub ends a thread. */
export type EndReason = 'closed' | 'hung' | 'memory' | 'flood'

export type Held = Pick<MemoryReport, 'heap' | 'external'>

export interface Thread {
  /** Why the thread is gone; undefined while it lives. Calls under way reject after this is set. */
  endedWith(): ThreadEnd | undefined
  onEnd(listener: (end: ThreadEnd) => void): void
  /** Sets whether the thread keeps the process alive; at first it does not. */
  hold(isHeld: boolean): void
  /** Processor time that the thread has used so far. */
  cpuMs(): Promise<number>
  /**
   * Bytes that V8 reports for the thread: its heap, and the buffers outside of it, which V8 does
   * not limit. Undefined before Node 24.
   */
  memory(): Promise<Held | undefined>
  /** Time in which its event loop had nothing to do. */
  idleMs(): number
  end(reason: EndReason): Promise<void>
}

export interface AdapterThread extends Thread {
  readonly functions: BirpcReturn<ThreadFunctions, HubFunctions>
}

export interface TrialThread extends Thread {
  /** One report for each import, in order. Rejects when the thread ends before the last import. */
  readonly reports: Promise<Outcome<ImportReport[]>>
}

// The folder where the operator wants Node to keep compiled modules. Node reads the variable when
// the thread starts, and the thread deletes it before it imports the adapter.
const { NODE_COMPILE_CACHE: compileCache } = process.env
const startEnvironment = compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache }

const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

/** Room for an answer and the effects of its call. The SDK in the thread sends nothing larger. */
const mostMessageBytes = 2 * mostAnswerBytes
/** Each message costs the hub as much as this many bytes. */
const messageBytes = 100
/**
 * Limit for all messages in the window: the hub's thread has to read them and serves nobody else
 * meanwhile.
 */
const mostBytesInWindow = 256 * 1024 * 1024
const windowMs = 10_000

const longestAnswerMs = 500

/** Starts the thread of one adapter version. */
export function startThread (data: ThreadData, services: HostServices): AdapterThread {
  const { worker, thread } = launch('thread-entry', data, data.adapter)
  const takes = createMessageBudget()
  // The hub does not log the printed text: it may be a secret that only the thread knows.
  worker.stdout.once('data', () => {
    services.log(
      'warn',
      {},
      `the adapter ${data.adapter} prints to the console. The hub discards this output; use context.log instead`
    )
  })
  const functions = createBirpc<ThreadFunctions, HubFunctions>(hubFunctions(services), {
    post: message => {
      worker.postMessage(message)
    },
    on (listener) {
      worker.on('message', (message: unknown) => {
        if (takes(message)) listener(message)
        else thread.end('flood').catch(() => undefined)
      })
    },
    timeout: -1,
    eventNames: ['abort', 'forget']
  })
  thread.onEnd(end => {
    functions.$close(new Error(describeEnd(end)))
  })
  return { ...thread, functions }
}

/** Starts a thread that imports modules, by their `file:` URLs, one after the other. */
export function startTrial (entries: readonly string[]): TrialThread {
  const { worker, thread } = launch('trial-entry', entries, 'trial')
  const { promise: reports, resolve, reject } = Promise.withResolvers<Outcome<ImportReport[]>>()
  worker.once('message', resolve)
  thread.onEnd(end => {
    reject(new Error(describeEnd(end)))
  })
  return { ...thread, reports }
}

/** Makes the function that says whether the hub goes on listening to a thread after a message. */
function createMessageBudget (): (message: unknown) => boolean {
  let windowStart = performance.now()
  let spent = 0
  return message => {
    const size = sizeUpTo(message, mostMessageBytes)
    if (performance.now() - windowStart > windowMs) {
      windowStart = performance.now()
      spent = 0
    }
    spent += size + messageBytes
    return size <= mostMessageBytes && spent <= mostBytesInWindow
  }
}

interface Launched {
  worker: Worker
  thread: Thread
}

/**
 * The thread has bounded memory, and an environment that is empty but for NODE_COMPILE_CACHE. Its
 * output goes nowhere, because the output could control the terminal.
 */
function launch (entry: 'thread-entry' | 'trial-entry', workerData: unknown, name: string): Launched {
  const url = new URL(`./${entry}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)
  const worker = new Worker(url, {
    workerData,
    env: startEnvironment,
    resourceLimits,
    name,
    stdout: true,
    stderr: true
  })
  worker.stdout.resume()
  worker.stderr.resume()
  worker.unref()
  let told: ThreadEnd | undefined
  let end: ThreadEnd | undefined
  const listeners: ((end: ThreadEnd) => void)[] = []
  worker.on('error', (error: Error & { code?: string }) => {
    told ??= error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? { kind: 'memory' } : { kind: 'error', error }
  })
  worker.once('exit', code => {
    end = told ?? { kind: 'exit', code }
    for (const listener of listeners) listener(end)
  })
  const questions = new Set<Promise<unknown>>()
  function asked<Answer> (question: Promise<Answer>): Promise<Answer> {
    questions.add(question)
    question.catch(() => undefined).finally(() => {
      questions.delete(question)
    })
    return question
  }

  const thread: Thread = {
    endedWith: () => end,
    onEnd (listener) {
      listeners.push(listener)
    },
    hold (isHeld) {
      if (isHeld) worker.ref()
      else worker.unref()
    },
    async cpuMs () {
      // Before Node 24.6 a thread does not report its processor time: then the time in which it was
      // not idle has to do.
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
      told ??= { kind: reason }
      // Wait for the open questions: otherwise V8 would put a question to a thread that is gone.
      await Promise.race([Promise.allSettled(questions), sleep(longestAnswerMs)])
      await worker.terminate()
    }
  }
  return { worker, thread }
}

export function describeEnd (end: ThreadEnd): string {
  switch (end.kind) {
    case 'closed':
      return 'its thread was closed'
    case 'hung':
      return 'its thread stopped answering'
    case 'flood':
      return 'its thread sent the hub a message that is too large, or too much in a short time'
    case 'memory':
      return 'its thread used more memory than allowed'
    case 'exit':
      return `it ended its thread with code ${end.code}`
    case 'error':
      return 'its thread ended with an unhandled error, which the log shows'
  }
}

/** Own functions, so that nothing else of the services can be called from the thread. */
function hubFunctions (services: HostServices): HubFunctions {
  return {
    readValue: (...args) => services.readValue(...args),
    writeValue: (...args) => services.writeValue(...args),
    deleteValue: (...args) => services.deleteValue(...args),
    listValues: (...args) => services.listValues(...args),
    readCursor: (...args) => services.readCursor(...args),
    listCursors: (...args) => services.listCursors(...args),
    acquireLock: (...args) => services.acquireLock(...args),
    releaseLock: (...args) => services.releaseLock(...args),
    readCredentials: (...args) => services.readCredentials(...args),
    renewCredentials: (...args) => services.renewCredentials(...args),
    identifyJob: (...args) => services.identifyJob(...args),
    beginFlow: (...args) => services.beginFlow(...args),
    takeFlow: (...args) => services.takeFlow(...args),
    endFlow: (...args) => services.endFlow(...args),
    getConnection: (...args) => services.getConnection(...args),
    createConnection: (...args) => services.createConnection(...args),
    replaceConnectionCredentials: (...args) => services.replaceConnectionCredentials(...args),
    count (...args) {
      services.count(...args)
    },
    observe (...args) {
      services.observe(...args)
    },
    log (...args) {
      services.log(...args)
    },
    upstream (...args) {
      services.upstream(...args)
    }
  }
}
