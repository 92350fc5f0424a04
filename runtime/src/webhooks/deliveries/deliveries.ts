import type { Connections } from '../../connections/connections.ts'
import { DeliveryNotFoundError, TooManyDeliveriesError } from '../../errors.ts'
import type { IgnoredReason } from '../../events/event-to-job.ts'
import type { Position } from '../../http/paging.ts'
import type { JobRecord } from '../../jobs/job.ts'
import type { WaitsOf } from '../../jobs/show-jobs.ts'
import type { Delivery } from './delivery.ts'
import { findDeliveries, findDelivery, type Search } from './find-deliveries.ts'
import { createReplay, type JobPlan, type Plan, type ReplayOccasion, type ReplayOptions } from './replay.ts'
import { mostReplays, readReplays, readReplaysInShort } from './replays.ts'
import type {
  DeliveryDetail,
  DeliveryFilter,
  DeliveryView,
  PlannedView,
  ReplayBody,
  ReplayOutcome,
  ReplaySummary
} from './schemas.ts'
import { replayViewOf, viewOf, type ViewOptions } from './view.ts'

export interface DeliveriesOptions extends ReplayOptions {
  redactorsOf: Connections['redactorsOf']
  waitsOf: WaitsOf
}

/** Deliveries that one request replays. */
const mostReplayed = 500
const pageSize = 200
/** Pages that the hub reads for one request. */
const mostPages = 20
const mostSearched = mostPages * pageSize
const sampleSize = 10

/** The limit that a request exceeds: deliveries to replay, or deliveries and jobs to look at. */
type Limit = 'wanted' | 'searched'

/** The log of the deliveries that the hub accepted, and their replays. */
export function createDeliveries ({ redactorsOf, waitsOf, ...options }: DeliveriesOptions) {
  const { query, keptDays } = options
  const { createPlan, run } = createReplay(options)

  async function show (deliveries: readonly Delivery[]): Promise<DeliveryView[]> {
    const replaysOf = await readReplaysInShort(query, deliveries.map(({ id }) => id))
    const optionsOf = await readViewOptions(
      deliveries,
      [...replaysOf.values()].flatMap(({ lastReplay }) => lastReplay ?? [])
    )
    return deliveries.map(delivery => {
      const { replayCount, lastReplay } = replaysOf.get(delivery.id) ?? { replayCount: 0, lastReplay: undefined }
      return viewOf(delivery, { ...optionsOf(delivery), keptDays, replayCount, lastReplay })
    })
  }

  async function showPlanned (
    plans: readonly Plan[],
    isWanted: (planned: Plan) => boolean
  ): Promise<PlannedView[]> {
    const shown = await show(plans.map(({ delivery }) => delivery))
    return plans.flatMap((planned, index) => {
      const view = shown[index]
      return view === undefined ? [] : [{ ...view, outcome: outcomeOf(planned, isWanted) }]
    })
  }

  async function showDetail (delivery: Delivery): Promise<DeliveryDetail> {
    const replays = (await readReplays(query, [delivery.id])).get(delivery.id) ?? []
    const options = (await readViewOptions([delivery], replays))(delivery)
    return {
      ...viewOf(delivery, { ...options, keptDays, replayCount: replays.length, lastReplay: replays.at(-1) }),
      replays: replays.map(replay => replayViewOf(replay, options))
    }
  }

  async function readViewOptions (
    deliveries: readonly Delivery[],
    replays: readonly JobRecord[]
  ): Promise<(delivery: Delivery) => ViewOptions> {
    const jobs = [...deliveries.flatMap(({ job }) => job ?? []), ...replays]
    const redactorOf = await redactorsOf([...deliveries, ...jobs].map(({ connectionId }) => connectionId))
    const waits = await waitsOf(jobs, redactorOf)
    return ({ connectionId }) => ({ redact: redactorOf(connectionId), waits })
  }

  async function find (id: string): Promise<Delivery> {
    const delivery = await findDelivery(query, id.toLowerCase())
    if (delivery === undefined) throw new DeliveryNotFoundError(id)
    return delivery
  }

  async function list (
    filter: DeliveryFilter,
    page: { after?: Position | undefined, limit: number }
  ): Promise<{ deliveries: DeliveryView[], next: Position | undefined }> {
    const { deliveries, next } = await findDeliveries(query, filter, page)
    return { deliveries: await show(deliveries), next }
  }

  async function get (id: string): Promise<DeliveryDetail> {
    return showDetail(await find(id))
  }

  /** Handles the event of one delivery again. */
  async function replay (
    id: string,
    occasion: ReplayOccasion
  ): Promise<{ connectionId: string } & ({ jobId: string } | { ignored: IgnoredReason })> {
    const delivery = await find(id)
    const [planned] = await createPlan(occasion)([delivery])
    if (planned === undefined) throw new TypeError('a delivery has no plan')
    if ('refusal' in planned) throw planned.refusal
    const { connectionId } = delivery
    if ('ignored' in planned) return { connectionId, ignored: planned.ignored }
    const jobId = (await run([planned], occasion)).get(delivery.id)
    if (jobId === undefined) throw new TypeError('a replay has no job')
    return { connectionId, jobId }
  }

  /**
   * Handles again the events of all deliveries that meet a filter, oldest first. Skips those that
   * are refused, and those that an earlier replay handled. Refuses as a whole when more would start
   * a job than one request takes: a repetition would begin with the same ones.
   */
  async function replayAll (
    { filter, includeReplayed, dryRun }: ReplayBody,
    occasion: ReplayOccasion
  ): Promise<ReplaySummary> {
    const isWanted = (planned: Plan): planned is JobPlan =>
      isJobPlan(planned) && (includeReplayed || !planned.isReplayed)
    const { plans, limit } = await planAll({ ...filter, operationId: occasion.operationId }, isWanted, occasion)
    const jobs = plans.filter(isWanted).toReversed()
    if (limit !== undefined && !dryRun) throw tooMany(limit)
    const jobIds = dryRun ? new Map<string, string>() : await run(jobs, occasion)
    return {
      dryRun,
      matched: plans.length,
      isMore: limit !== undefined,
      jobs: jobs.length,
      alreadyReplayed: plans.filter(planned => isJobPlan(planned) && planned.isReplayed).length,
      ...countOthers(plans.toReversed()),
      sample: await showPlanned(plans.slice(0, sampleSize), isWanted),
      replays: [...jobIds].map(([deliveryId, jobId]) => ({ deliveryId, jobId }))
    }
  }

  /** Plans the deliveries of a filter, newest first, until it comes to a limit. */
  async function planAll (
    filter: Search,
    isWanted: (planned: Plan) => boolean,
    occasion: ReplayOccasion
  ): Promise<{ plans: Plan[], limit?: Limit }> {
    const plan = createPlan(occasion)
    const plans: Plan[] = []
    let wanted = 0
    let after: Position | undefined
    for (let page = 0; page < mostPages; page++) {
      const { deliveries, next } = await findDeliveries(query, filter, { after, limit: pageSize })
      for (const planned of await plan(deliveries)) {
        if (isWanted(planned)) wanted += 1
        if (wanted > mostReplayed) return { plans, limit: 'wanted' }
        plans.push(planned)
      }
      if (next === undefined) return { plans }
      after = next
    }
    return { plans, limit: 'searched' }
  }

  return { list, get, replay, replayAll }
}

function outcomeOf (planned: Plan, isWanted: (planned: Plan) => boolean): ReplayOutcome {
  if ('ignored' in planned) return 'ignored'
  if ('refusal' in planned) return 'refused'
  return isWanted(planned) ? 'replayed' : 'already replayed'
}

function isJobPlan (planned: Plan): planned is JobPlan {
  return 'job' in planned
}

function countOthers (plans: readonly Plan[]): Pick<ReplaySummary, 'ignored' | 'refused'> {
  const ignored = Map.groupBy(plans.flatMap(planned => 'ignored' in planned ? planned.ignored : []), reason => reason)
  const refused = Map.groupBy(plans.flatMap(planned => 'refusal' in planned ? planned.refusal : []), ({ code }) => code)
  return {
    ignored: [...ignored].map(([reason, { length }]) => ({ reason, count: length })),
    refused: [...refused].map(([code, refusals]) => ({
      code,
      detail: refusals[0]?.message ?? '',
      count: refusals.length
    }))
  }
}

function tooMany (limit: Limit): Error {
  return new TooManyDeliveriesError(limit === 'wanted'
    ? `The filter has more than ${mostReplayed} deliveries to replay. Narrow it, such as by \`since\` and \`until\``
    : `The hub has not found all deliveries of the filter: one request looks at ${mostSearched} of them at most, ` +
      `and at ${mostSearched * mostReplays} jobs. Narrow it by \`since\` and \`until\`, or by \`replayed: false\``)
}
