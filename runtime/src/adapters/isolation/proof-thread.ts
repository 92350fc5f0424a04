import type { WebhookDelivery } from '@linker/sdk'
import { startAdapterThread, withThreadTimeLimit, type AdapterThread } from '@linker/sdk/host'
import pTimeout from 'p-timeout'
import { WebhookProofUnavailableError } from '../../errors.ts'
import type { ProofAnswer, ProofQuestion } from './protocol.ts'
import { createStrikes } from './strikes.ts'
import { describeEnd } from './thread.ts'

/** Judges deliveries by the function of an adapter, in a thread that it has for that alone. */
export interface ProofThread {
  /**
   * Resolves to the verdict of the function. Rejects with a 503 when the function throws, gives no
   * verdict or takes too long, when its thread ends, and when too many deliveries wait.
   */
  isGenuine(connectionId: string, delivery: WebhookDelivery): Promise<boolean>
  /** Starts the thread before the first delivery. */
  warm(): void
  close(): Promise<void>
}

export interface ProofThreadOptions {
  /** `adapterKey@version`. */
  adapter: string
  /** file: URL of the module. */
  entry: string
  /**
   * Called when a delivery could not be judged, at most once a minute: strangers can cause it. The
   * reason contains no part of the delivery.
   */
  onFailure(reason: string): void
  limits?: Partial<ProofLimits>
}

export interface ProofLimits {
  /** The time that the thread may spend on one delivery. */
  judgeMs: number
  /** The longest wait for the verdict, on a machine that is too busy to run the thread. */
  longestMs: number
  /** How long a delivery waits for the start of the thread and the import of the adapter. */
  startMs: number
  /** The time that the thread may spend on the import. */
  importMs: number
  /** How long a delivery may wait for others: a sender gives up after 5 s. */
  waitMs: number
  mostWaiting: number
  mostWaitingOfConnection: number
}

export const proofLimits: ProofLimits = {
  judgeMs: 250,
  longestMs: 2_000,
  startMs: 2_000,
  importMs: 5_000,
  waitMs: 2_000,
  mostWaiting: 200,
  mostWaitingOfConnection: 20
}

const reportEveryMs = 60_000

interface Waiting {
  connectionId: string
  delivery: WebhookDelivery
  sinceMs: number
  resolve(verdict: boolean): void
  reject(error: Error): void
}

interface Running {
  thread: AdapterThread
  isReady: Promise<void>
  hasBegun: boolean
  /** Takes the answer to each delivery that is judged now, by its id. */
  answers: Map<number, (answer: ProofAnswer) => void>
}

/**
 * Starts the thread when it is warmed or for the first delivery, and again after it has ended. The
 * thread judges one delivery at a time, and connections take turns. A delivery that makes the
 * function hang costs the others the time of one start. A connection whose deliveries ended the
 * thread five times within a minute gets 503 until the minute is over.
 */
export function createProofThread ({ adapter, entry, onFailure, limits: given }: ProofThreadOptions): ProofThread {
  const limits = { ...proofLimits, ...given }
  const strikes = createStrikes({ most: 5, windowMs: 60_000, now: () => performance.now() })
  /** The first connection has the next turn. */
  const waiting = new Map<string, Waiting[]>()
  let count = 0
  let lastId = 0
  let reportedMs = Number.NEGATIVE_INFINITY
  let running: Running | undefined
  let isBusy = false
  let isClosed = false

  function start (): Running {
    const thread = startAdapterThread({ entry: proofEntry(), data: entry, name: `${adapter} proofs` })
    const { promise: isReady, resolve, reject } = Promise.withResolvers<void>()
    isReady.catch(() => undefined)
    const started: Running = { thread, isReady, hasBegun: false, answers: new Map() }
    thread.worker.on('message', (message: ProofAnswer | 'ready') => {
      if (message !== 'ready') started.answers.get(message.id)?.(message)
      else {
        started.hasBegun = true
        resolve()
      }
    })
    thread.onEnd(end => {
      if (running === started) running = undefined
      reject(new Error(describeEnd(end)))
      for (const [id, answer] of started.answers) answer({ id, failure: describeEnd(end) })
      // The next delivery should not wait for the start. A module that cannot be imported waits for
      // a delivery.
      if (started.hasBegun) warm()
    })
    withThreadTimeLimit(thread, limits.importMs, isReady, () => new Error('late')).catch(() => stop(started)).catch(
      () => undefined
    )
    return started
  }

  function warm (): void {
    if (!isClosed) running ??= start()
  }

  async function stop ({ thread }: Running): Promise<void> {
    if (running?.thread === thread) running = undefined
    await thread.end('hung')
  }

  async function judge ({ connectionId, delivery }: Waiting): Promise<boolean> {
    if (isClosed) throw new Error('the hub stops')
    const started = running ??= start()
    started.thread.hold(true)
    try {
      await pTimeout(started.isReady, { milliseconds: limits.startMs, message: 'its thread did not start in time' })
      const answered = ask(started, delivery)
      endWhenLate(started, answered, connectionId).catch(() => undefined)
      const { verdict, failure } = await pTimeout(answered, {
        milliseconds: limits.longestMs,
        message: 'the machine is too busy for its thread'
      })
      if (verdict === undefined) throw new Error(failure)
      return verdict
    } finally {
      started.thread.hold(false)
    }
  }

  /** Rejects when the thread has spent more than its time. */
  async function ask ({ thread, answers }: Running, delivery: WebhookDelivery): Promise<ProofAnswer> {
    const id = ++lastId
    const { promise, resolve } = Promise.withResolvers<ProofAnswer>()
    answers.set(id, resolve)
    // The bytes of a body may be a part of a buffer that holds other bodies.
    const rawBody = new Uint8Array(delivery.rawBody)
    thread.worker.postMessage({ id, delivery: { ...delivery, rawBody } } satisfies ProofQuestion, [rawBody.buffer])
    try {
      const late = (): Error => new Error(`it took longer than ${limits.judgeMs} ms`)
      return await withThreadTimeLimit(thread, limits.judgeMs, promise, late)
    } finally {
      answers.delete(id)
    }
  }

  /** A thread that only waits for the processor is left alone, and nobody is to blame for it. */
  async function endWhenLate (
    started: Running,
    answered: Promise<ProofAnswer>,
    connectionId: string
  ): Promise<void> {
    try {
      await answered
    } catch {
      await stop(started)
    }
    if (started.thread.endedWith() !== undefined) strikes.add(connectionId)
  }

  async function work (): Promise<void> {
    if (isBusy) return
    isBusy = true
    for (let next = take(); next !== undefined; next = take()) await settle(next)
    isBusy = false
  }

  async function settle (next: Waiting): Promise<void> {
    try {
      if (performance.now() - next.sinceMs > limits.waitMs) throw new Error('too many deliveries wait for it')
      next.resolve(await judge(next))
    } catch (error) {
      report(error instanceof Error ? error.message : 'it failed')
      next.reject(new WebhookProofUnavailableError())
    }
  }

  function take (): Waiting | undefined {
    const [turn] = waiting
    if (turn === undefined) return undefined
    const [connectionId, [next, ...others]] = turn
    waiting.delete(connectionId)
    if (others.length > 0) waiting.set(connectionId, others)
    count -= 1
    return next
  }

  function report (reason: string): void {
    if (performance.now() - reportedMs < reportEveryMs) return
    reportedMs = performance.now()
    onFailure(reason)
  }

  return {
    async isGenuine (connectionId, delivery) {
      const own = waiting.get(connectionId) ?? []
      const isFull = count >= limits.mostWaiting || own.length >= limits.mostWaitingOfConnection
      if (isClosed || isFull || strikes.isOut(connectionId)) throw new WebhookProofUnavailableError()
      const { promise, resolve, reject } = Promise.withResolvers<boolean>()
      waiting.set(connectionId, [...own, { connectionId, delivery, sinceMs: performance.now(), resolve, reject }])
      count += 1
      void work()
      return promise
    },
    warm,
    async close () {
      isClosed = true
      await running?.thread.end('closed')
    }
  }
}

function proofEntry (): URL {
  return new URL(`./proof-entry${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)
}
