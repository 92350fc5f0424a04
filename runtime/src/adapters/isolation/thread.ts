import {
  mostAnswerBytes,
  sizeUpTo,
  startAdapterThread,
  type AdapterThread,
  type HostServices,
  type ThreadEnd
} from '@linker/sdk/host'
import { createBirpc, type BirpcReturn } from 'birpc'
import type { HubFunctions, ImportReport, Outcome, ThreadData, ThreadFunctions } from './protocol.ts'

// birpc pairs questions and answers over the port. This file deals with workers that end in the
// middle of a call.

export interface CarrierThread extends AdapterThread {
  readonly functions: BirpcReturn<ThreadFunctions, HubFunctions>
}

export interface TrialThread extends AdapterThread {
  /** One report for each import, in order. Rejects when the thread ends before the last import. */
  readonly reports: Promise<Outcome<ImportReport[]>>
}

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

/** Starts the thread of one adapter version. */
export function startThread (data: ThreadData, services: HostServices): CarrierThread {
  const thread = startAdapterThread({ entry: entryOf('thread-entry'), data, name: data.adapter })
  const { worker } = thread
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
    eventNames: ['forget']
  })
  thread.onEnd(end => {
    functions.$close(new Error(describeEnd(end)))
  })
  return { ...thread, functions }
}

/** Starts a thread that imports modules, by their `file:` URLs, one after the other. */
export function startTrial (entries: readonly string[]): TrialThread {
  const thread = startAdapterThread({ entry: entryOf('trial-entry'), data: entries, name: 'trial' })
  const { promise: reports, resolve, reject } = Promise.withResolvers<Outcome<ImportReport[]>>()
  thread.worker.once('message', resolve)
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

function entryOf (name: 'thread-entry' | 'trial-entry'): URL {
  return new URL(`./${name}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)
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
    refuseRefresh: (...args) => services.refuseRefresh(...args),
    identifyJob: (...args) => services.identifyJob(...args),
    callCapability: (...args) => services.callCapability(...args),
    admitRequest: (...args) => services.admitRequest(...args),
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
