import { startAdapterThread, threadLimits, type ThreadEnd } from '../../host/adapter-thread.ts'
import { withThreadTimeLimit, type Spent } from '../../host/thread-time-limit.ts'
import type { FromThread, ThreadData, ToThread } from './protocol.ts'

export interface Thread {
  send(message: ToThread): void
  /** Calls the listener for each experiment whose aborted calls have had their time. */
  onSettled(listener: (experiment: string) => void): void
  /**
   * Returns the next report of that kind. Rejects with the reason when the thread ends before, or
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

/**
 * Starts a thread that will import one adapter: the thread in which the hub would run it, with
 * another entry. Keeps its printed text.
 */
export function startThread (data: ThreadData): Thread {
  const thread = startAdapterThread({
    entry: new URL(import.meta.url.endsWith('.ts') ? './thread-entry.ts' : './thread-entry.js', import.meta.url),
    data,
    name: data.adapter,
    // Pass only the conditions, which decide which files imports mean. Other options of this
    // process, such as the hooks of a test runner, do not concern the adapter.
    execArgv: process.execArgv.filter(argument => argument.startsWith('--conditions='))
  })
  thread.hold(true)
  const { worker } = thread
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
  const ended = new Promise<ThreadEnd>(resolve => {
    thread.onEnd(resolve)
  })
  const endedEarly = ended.then(end => {
    throw new Error(describeEnd(end))
  })
  endedEarly.catch(() => undefined)

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
      try {
        const first = Promise.race([promise, endedEarly])
        return await withThreadTimeLimit(thread, limitMs, first, lateAfter(limitMs)) as Extract<
          FromThread,
          { kind: typeof kind }
        >
      } finally {
        worker.off('message', listen)
      }
    },
    endsWithin: limitMs =>
      withThreadTimeLimit(thread, limitMs, ended, lateAfter(limitMs)).then(() => true, () => false),
    failure () {
      const end = thread.endedWith()
      return end === undefined || (end.kind === 'exit' && end.code === 0) ? undefined : describeEnd(end)
    },
    lastBegun: () => lastBegun,
    output: () => Buffer.concat(printed).toString(),
    end: () => thread.end('closed')
  }
}

function lateAfter (limitMs: number): (spent: Spent) => Error {
  return spent =>
    new Error(spent === 'working' ? `it blocked its thread for ${limitMs} ms` : `it did not finish in ${limitMs} ms`)
}

function describeEnd (end: ThreadEnd): string {
  if (end.kind === 'error') return `it left an error unhandled: ${end.error.message}`
  if (end.kind === 'exit') return `it ended its thread with code ${end.code}`
  return `it used more than ${threadLimits.maxOldGenerationSizeMb} MB`
}
