import { Worker } from 'node:worker_threads'
import type { FromThread, ThreadData, ToThread } from './protocol.ts'

export interface Thread {
  send(message: ToThread): void
  /** Calls the listener for each experiment whose aborted calls have had their time. */
  onSettled(listener: (experiment: string) => void): void
  /**
   * Answers the next report of that kind. Rejects with the reason when the thread ends before, or
   * does not send it within `limitMs` of its own time.
   */
  report<Kind extends FromThread['kind']>(kind: Kind, limitMs: number): Promise<Extract<FromThread, { kind: Kind }>>
  /** Whether the thread ends by itself within `limitMs` of its own time. */
  endsWithin(limitMs: number): Promise<boolean>
  /** The failure of the thread, if it has ended with one. */
  failure(): string | undefined
  /** The id of the call that was begun last. */
  lastBegun(): string | undefined
  /** The printed text. */
  output(): string
  end(): Promise<void>
}

// Node reads it at the start of the thread; it is gone before the adapter is imported.
const { NODE_COMPILE_CACHE: compileCache } = process.env
const startEnvironment = compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache }

const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

/**
 * Starts a thread that will import one adapter. It has an empty environment and bounded memory, and
 * keeps its printed text.
 */
export function startThread (data: ThreadData): Thread {
  const entry = new URL(import.meta.url.endsWith('.ts') ? './thread-entry.ts' : './thread-entry.js', import.meta.url)
  // Pass only the conditions, which decide which files imports mean. Other options of this process,
  // such as the hooks of a test runner, do not concern the adapter.
  const execArgv = process.execArgv.filter(argument => argument.startsWith('--conditions='))
  const worker = new Worker(entry, {
    workerData: data,
    env: startEnvironment,
    execArgv,
    stdout: true,
    stderr: true,
    resourceLimits,
    name: data.adapter
  })
  const printed: Buffer[] = []
  for (const stream of [worker.stdout, worker.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed.push(chunk)
    })
  }
  let lastBegun: string | undefined
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'begun') lastBegun = message.id
  })
  let reason: string | undefined
  let failure: string | undefined
  const ended = new Promise<string>(resolve => {
    worker.on('error', (error: Error & { code?: string }) => {
      reason = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? `it used more than ${resourceLimits.maxOldGenerationSizeMb} MB`
        : `it left an error unhandled: ${error.message}`
    })
    worker.once('exit', code => {
      const ending = reason ?? `it ended its thread with code ${code}`
      failure = reason === undefined && code === 0 ? undefined : ending
      resolve(ending)
    })
  })

  return {
    send (message) {
      worker.postMessage(message)
    },
    onSettled (listener) {
      worker.on('message', (message: FromThread) => {
        if (message.kind === 'settled') listener(message.experiment)
      })
    },
    async report (kind, limitMs) {
      const { promise, resolve } = Promise.withResolvers<FromThread>()
      const listen = (message: FromThread): void => {
        if (message.kind === kind) resolve(message)
      }
      worker.on('message', listen)
      const clock = watchTime(worker, limitMs)
      try {
        const first = await Promise.race([promise, ended, clock.spent])
        if (typeof first === 'string') throw new Error(first)
        return first as Extract<FromThread, { kind: typeof kind }>
      } finally {
        worker.off('message', listen)
        clock.stop()
      }
    },
    async endsWithin (limitMs) {
      const clock = watchTime(worker, limitMs)
      try {
        return await Promise.race([ended.then(() => true), clock.spent.then(() => false)])
      } finally {
        clock.stop()
      }
    },
    failure: () => failure,
    lastBegun: () => lastBegun,
    output: () => Buffer.concat(printed).toString(),
    async end () {
      await worker.terminate()
    }
  }
}

const lookMs = 50
/** The limit in real time, even on a busy machine. */
const longestMs = 60_000

/**
 * Answers a sentence when the thread has used `limitMs` of processor time, or has waited that long
 * with nothing to do. Time in which the machine did not run the thread does not count.
 */
function watchTime (worker: Worker, limitMs: number): { spent: Promise<string>, stop(): void } {
  const { promise: spent, resolve } = Promise.withResolvers<string>()
  const startedAt = performance.now()
  const cpuMs = async (): Promise<number> => {
    // Before Node 24.6 a thread does not report its processor time: use the time in which it was
    // not idle.
    if (typeof worker.cpuUsage !== 'function') return worker.performance.eventLoopUtilization().active
    const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }))
    return (user + system) / 1_000
  }
  const atFirst = cpuMs()
  const { idle } = worker.performance.eventLoopUtilization()
  const looking = setInterval(async () => {
    if (await cpuMs() - await atFirst >= limitMs) resolve(`it blocked its thread for ${limitMs} ms`)
    else if (
      worker.performance.eventLoopUtilization().idle - idle >= limitMs || performance.now() - startedAt >= longestMs
    ) resolve(`it did not finish in ${limitMs} ms`)
  }, lookMs)
  return {
    spent,
    stop () {
      clearInterval(looking)
    }
  }
}
