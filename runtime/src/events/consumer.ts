import { setTimeout as delay } from 'node:timers/promises'
import pTimeout from 'p-timeout'
import { isDiskFull, isInfrastructureError } from '../database/infrastructure-error.ts'
import type { Intake } from '../streams/intake.ts'
import type { Entry, StreamPort } from '../streams/port.ts'
import type { BatchHandler, MessageOutcome } from './message-outcome.ts'

export interface ConsumerLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface ConsumerTuning {
  batchSize?: number
  /** Batches that are handled at the same time. */
  concurrency?: number
  /** How long an entry is left alone before it counts as abandoned. */
  minIdleMs?: number
  claimEveryMs?: number
  blockMs?: number
  /**
   * An entry is dead after this many failed deliveries. A delivery that failed with an
   * infrastructure error does not count.
   */
  maxDeliveries?: number
  stopTimeoutMs?: number
  /** Pause between two looks behind a backlog once its end was reached. */
  lookAheadEveryMs?: number
  /** Awaited before each read. Default: resolves at once. */
  giveWay?: Intake['giveWay']
  backoffMs?: (attempt: number) => number
}

export interface ConsumerOptions extends ConsumerTuning {
  streams: Pick<StreamPort, 'ensureGroup' | 'read' | 'readAhead' | 'claimIdle' | 'acknowledge' | 'deadLetter'>
  stream: string
  group: string
  consumer: string
  handle: BatchHandler
  log: ConsumerLog
  random(): number
}

export interface Consumer {
  start(): Promise<void>
  /**
   * Finishes the batches in hand, for at most two seconds. Other entries stay pending, and another
   * process claims them.
   */
  stop(): Promise<void>
}

/**
 * Reads a stream in a group and hands batches to `handle`. Claims the entries of a dead process as
 * soon as they are idle, at start and then regularly. Never reads the history of a consumer
 * instead, because process ids repeat in containers. While there is a backlog, brings forward the
 * entries of connections that the head of the backlog does not serve.
 *
 *     new ──read──▶ in hand ──settled──▶ acknowledged
 *                   │  ▲  └──malformed, or failed for the 5th time──▶ <stream>.dead, acknowledged
 *         failed or │  │ claimed when idle
 *           crashed ▼  │
 *                  pending
 *
 * An infrastructure error keeps the batch in hand and pauses reading.
 */
export function createConsumer (options: ConsumerOptions): Consumer {
  const {
    streams,
    stream,
    group,
    consumer,
    handle,
    log,
    random,
    giveWay = async () => undefined,
    batchSize = 100,
    concurrency = 2,
    minIdleMs = 10_000,
    claimEveryMs = 5_000,
    blockMs = 5_000
  } = options
  const { maxDeliveries = 5, stopTimeoutMs = 2_000, lookAheadEveryMs = 200, backoffMs = jitteredBackoffMs(random) } =
    options
  const controller = new AbortController()
  const { signal } = controller
  const inHand = new Set<string>()
  const running = new Set<Promise<void>>()
  let troubled = 0
  let isClaimDue = true
  let hasBacklog = false
  let lookingAhead: Promise<void> | undefined
  let changed = Promise.withResolvers<void>()
  let claimTimer: NodeJS.Timeout | undefined
  let loop: Promise<void> = Promise.resolve()

  function change (): void {
    changed.resolve()
    changed = Promise.withResolvers()
  }

  async function pause (attempt: number, error: unknown): Promise<void> {
    const reason = isDiskFull(error) ? 'the disk is full' : 'a server does not answer'
    log.warn({ err: error, stream, attempt }, `handling a stream failed because ${reason}; trying again`)
    await delay(backoffMs(attempt), undefined, { signal }).catch(() => undefined)
  }

  async function readOn (): Promise<void> {
    for (let attempt = 0; !signal.aborted;) {
      if (running.size >= concurrency || troubled > 0) {
        await changed.promise
        continue
      }
      try {
        await giveWay()
        if (signal.aborted) break
        dispatch(await next())
        attempt = 0
      } catch (error) {
        await pause(attempt++, error)
      }
    }
    await Promise.all([...running, lookingAhead])
  }

  async function next (): Promise<Entry[]> {
    if (!isClaimDue) {
      const entries = await streams.read({
        stream,
        group,
        consumer,
        count: batchSize,
        blockMs: Math.min(blockMs, claimEveryMs),
        signal
      })
      hasBacklog = entries.length >= batchSize
      if (hasBacklog) {
        lookingAhead ??= lookAhead().finally(() => {
          lookingAhead = undefined
        })
      }
      return entries
    }
    const claimed = await streams.claimIdle({ stream, group, consumer, count: batchSize, minIdleMs })
    // The claim also returns entries that this process has worked on for longer than `minIdleMs`.
    const abandoned = claimed.filter(entry => !inHand.has(entry.id))
    isClaimDue = abandoned.length > 0
    return abandoned
  }

  function dispatch (entries: readonly Entry[]): void {
    if (entries.length === 0) return
    const held = hold(entries).finally(() => {
      running.delete(held)
      change()
    })
    running.add(held)
  }

  async function hold (entries: readonly Entry[]): Promise<void> {
    // No consumer can claim an entry that the stream only showed.
    const claimable = entries.filter(isInTurn)
    for (const { id } of claimable) inHand.add(id)
    await keepTrying(entries)
    for (const { id } of claimable) inHand.delete(id)
  }

  /**
   * Handles entries from behind the backlog, beside the batches in hand, as long as reads come back
   * full. Never rejects.
   */
  async function lookAhead (): Promise<void> {
    for (let attempt = 0; hasBacklog && !signal.aborted;) {
      try {
        await giveWay()
        if (signal.aborted) break
        const { entries, isEnd } = await streams.readAhead({ stream, group, consumer })
        await hold(entries)
        attempt = 0
        if (isEnd) await delay(lookAheadEveryMs, undefined, { signal }).catch(() => undefined)
      } catch (error) {
        await pause(attempt++, error)
      }
    }
  }

  /**
   * Handles the entries until each is settled or left pending, or until the consumer stops. Never
   * rejects.
   */
  async function keepTrying (entries: readonly Entry[]): Promise<void> {
    let open = entries
    let isTroubled = false
    for (let attempt = 0;; attempt++) {
      let trouble: unknown
      try {
        ;({ open, trouble } = await handleBatch(open))
      } catch (error) {
        trouble = error
      }
      if (open.length === 0 || signal.aborted) break
      if (!isTroubled) troubled++
      isTroubled = true
      await pause(attempt, trouble)
      if (signal.aborted) break
    }
    if (!isTroubled) return
    troubled--
    change()
  }

  /** Returns the entries that an infrastructure error left open, and that error. */
  async function handleBatch (entries: readonly Entry[]): Promise<{ open: readonly Entry[], trouble?: unknown }> {
    const outcomes = await judge(entries)
    const done = entries.filter((entry, index) => outcomes[index]?.kind === 'acknowledge' && isInTurn(entry)).map(
      entry => entry.id
    )
    if (done.length > 0) await streams.acknowledge(stream, group, done)
    const open: Entry[] = []
    let trouble: unknown
    for (const [index, entry] of entries.entries()) {
      const verdict = outcomes[index] ?? { kind: 'failed', error: new TypeError('the handler gave no verdict') }
      if (verdict.kind === 'failed' && isInfrastructureError(verdict.error)) {
        open.push(entry)
        trouble = verdict.error
      } else if (isInTurn(entry)) {
        if (verdict.kind === 'malformed') await bury(entry, `malformed: ${verdict.reason}`)
        if (verdict.kind === 'failed') await fail(entry, verdict.error)
      }
    }
    return { open, trouble }
  }

  /** When one entry makes the handler reject, the others must not suffer: each is handled alone. */
  async function judge (entries: readonly Entry[]): Promise<readonly MessageOutcome[]> {
    if (entries.length === 0) return []
    try {
      return await handle(entries)
    } catch (error) {
      if (isInfrastructureError(error)) throw error
      if (entries.length === 1) return [{ kind: 'failed', error }]
    }
    const outcomes: MessageOutcome[] = []
    for (const entry of entries) outcomes.push(...await judge([entry]))
    return outcomes
  }

  async function fail (entry: Entry, error: unknown): Promise<void> {
    log.error({ err: error, stream, entryId: entry.id, deliveries: entry.deliveries }, 'handling a stream entry failed')
    if (entry.deliveries >= maxDeliveries) {
      await bury(entry, `failed ${entry.deliveries} times: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  async function bury (entry: Entry, reason: string): Promise<void> {
    await streams.deadLetter({
      stream,
      group,
      id: entry.id,
      reason: reason.slice(0, maxReasonLength),
      deliveries: entry.deliveries
    })
    log.warn(
      { stream, entryId: entry.id, reason: reason.slice(0, maxReasonLength) },
      'a stream entry was moved to the dead letters'
    )
  }

  return {
    async start () {
      await streams.ensureGroup(stream, group)
      claimTimer = setInterval(() => {
        isClaimDue = true
      }, claimEveryMs)
      loop = readOn()
    },
    async stop () {
      clearInterval(claimTimer)
      controller.abort()
      change()
      await pTimeout(loop, { milliseconds: stopTimeoutMs, message: false })
    }
  }
}

/**
 * Whether the stream handed the entry out. The consumer decides a shown entry only when its turn
 * comes.
 */
function isInTurn (entry: Entry): boolean {
  return entry.deliveries > 0
}

const maxReasonLength = 500
const backoffFloorMs = 100
const backoffCapMs = 5_000

const jitteredBackoffMs = (random: () => number) => (attempt: number): number =>
  backoffFloorMs + random() * Math.min(backoffCapMs, backoffFloorMs * 2 ** attempt)
