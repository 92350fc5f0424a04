import type { Context } from '../../context.ts'
import type { CallEffects, ConnectionSnapshot } from '../../host/carrier.ts'
import type { CurrentCallStorage } from '../../host/current-call.ts'
import { createAddressPolicy } from '../../http/address-policy.ts'
import { createHttpClientFactory } from '../../http/client.ts'
import { createReplay } from '../replay/replay.ts'
import { pageOf } from './page.ts'
import type { Experiment, Outcome, PlannedCall, ReplayedRequest, Result } from './protocol.ts'

/** A write that needs more looks has no recorded end. */
const mostJobs = 20

type RecordedPlatform = NonNullable<Experiment['replay']>

/** Opens the HTTP client to a recorded platform, and notes the requests of each call. */
export function openReplayedHttp (
  { name, recording, repeats }: RecordedPlatform,
  currentCall: CurrentCallStorage,
  now: () => Date
) {
  const requests: (Omit<ReplayedRequest, 'callId' | 'page' | 'isIdempotent'> & { requestId: string })[] = []
  const unsafe = new Set<string>()
  const currentId = (): string => currentCall.getStore()?.call.requestId ?? ''
  const replay = createReplay(recording, {
    name,
    repeats,
    onRequest ({ method, path }, position) {
      requests.push({ requestId: currentId(), method, path, ...(position === undefined ? {} : { position }) })
    }
  })
  const { http, close } = createHttpClientFactory({
    addressPolicy: createAddressPolicy({ allow: [] }),
    currentCall: () => currentCall.getStore()?.call,
    clock: { now },
    intercept: replay.intercept,
    recorder: () => ({ method, url, isIdempotent }) => {
      const { pathname, search } = new URL(url)
      if (!isIdempotent) unsafe.add(JSON.stringify([currentId(), method, `${pathname}${search}`]))
    }
  })
  return {
    http,
    close,
    replayed: (): NonNullable<Result['replayed']> => ({
      requests: requests.map(({ requestId, ...request }) => ({
        ...request,
        ...partsOf(requestId),
        isIdempotent: !unsafe.has(JSON.stringify([requestId, request.method, request.path]))
      })),
      unasked: replay.unasked(),
      unrecorded: replay.unrecorded()
    })
  }
}

/** The id of a request names its call and the page of a listing. */
const requestIdOf = (callId: string, page: number): string => `${callId}#${page}`

function partsOf (requestId: string): { callId: string, page: number } {
  const [callId = '', page = '0'] = requestId.split('#')
  return { callId, page: Number(page) }
}

export interface SequenceOptions {
  calls: readonly PlannedCall[]
  connection: ConnectionSnapshot
  /** Moves the clock. */
  advance(ms: number): void
  /** Runs one call to its end; `requestId` names its requests. */
  run(connection: ConnectionSnapshot, call: PlannedCall, requestId: string): Promise<Outcome>
}

/** Runs calls one after the other. Follows the cursors of those that list. */
export async function runSequence ({ calls, connection, advance, run }: SequenceOptions): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const jobs: CallEffects['jobs'] = []

  async function runJobs (call: PlannedCall): Promise<void> {
    for (let count = 0; count < mostJobs; count += 1) {
      const job = jobs.shift()
      if (job === undefined) return
      const { jobType, payload, delayMs = 0 } = job
      advance(delayMs)
      const requestId = requestIdOf(`${call.id}.job`, count)
      const args = [{ id: requestId, type: jobType, payload }]
      const { effects } = await run(connection, { ...call, target: { kind: 'job', jobType }, args }, requestId)
      jobs.push(...effects?.jobs ?? [])
    }
  }

  for (const [index, call] of calls.entries()) {
    const { id, mostPages = 1, isAlone, afterMs = 0, afterJobs } = call
    advance(afterMs)
    if (afterJobs === true) await runJobs(call)
    // A connection of another version has another client.
    const own = isAlone === true ? { ...connection, version: `${connection.version}.${index}` } : connection
    let { args } = call
    for (let page = 0; page < mostPages; page += 1) {
      const outcome = await run(own, { ...call, args }, requestIdOf(id, page))
      outcomes.push({ ...outcome, id, page })
      jobs.push(...outcome.effects?.jobs ?? [])
      const { nextCursor } = pageOf(outcome.value) ?? {}
      if (nextCursor === undefined) break
      args = [{ ...Object(args[0]) as object, cursor: nextCursor }, ...args.slice(1)]
    }
  }
  return outcomes
}

/** A clock that only `advance` moves. */
export function createReplayClock ({ recording: { recordedAt } }: RecordedPlatform) {
  let nowMs = recordedAt === undefined ? Date.now() : Date.parse(recordedAt)
  const now: Context['clock']['now'] = () => new Date(nowMs)
  return {
    now,
    advance (ms: number) {
      nowMs += ms
    }
  }
}
