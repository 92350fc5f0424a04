import type { Schemas } from '@linker/client'
import { addressOf } from './addresses.ts'
import { answerOf, toneOfAnswer } from './calls.ts'
import { deliveryOf, reasonOf } from './jobs.ts'
import type { Tone } from './tones.ts'

type Job = Schemas['Job']
type Delivery = Pick<Schemas['WebhookDelivery'], 'id' | 'eventType' | 'externalId' | 'acceptedAt' | 'createdAt'>
type Attempt = Job['attempts'][number]

export type StepKind = 'delivery' | 'event' | 'job' | 'attempt' | 'call'

/** A step of a trace. A step of one moment has no end. */
export interface Step {
  key: string
  kind: StepKind
  /** How far it stands inside another step: a job holds attempts, which hold requests. */
  depth: 0 | 1 | 2
  title: string
  href: string | undefined
  state: { name: string, tone?: Tone } | undefined
  detail: string
  fromMs: number
  toMs: number | undefined
  /** The job that runs in place of this one. */
  mergedInto: string | undefined
}

export interface TraceParts {
  requestId: string
  jobs: readonly Job[]
  /** Jobs of other requests that run in place of some of `jobs`. */
  standIns: readonly Job[]
  deliveries: readonly Delivery[]
  nowMs: number
}

/** Puts the parts of a request in the order of time: delivery, event, jobs with their attempts. */
export function stepsOf ({ requestId, jobs, standIns, deliveries, nowMs }: TraceParts): Step[] {
  const ordered = [...jobs, ...standIns]
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id))
  const started = new Map(deliveries.map(delivery => [delivery.id, delivery]))
  return ordered.flatMap(job => {
    const delivery = started.get(deliveryOf(job) ?? '')
    return [...delivery === undefined ? [] : stepsOfDelivery(delivery), ...stepsOfJob(job, requestId, nowMs)]
  })
}

function stepsOfDelivery ({ id, eventType, externalId, acceptedAt, createdAt }: Delivery): Step[] {
  const about = [eventType, externalId].filter(part => part !== null).join(' ')
  const moment = (kind: 'delivery' | 'event', at: string, title: string): Step => ({
    key: `${kind} ${id}`,
    kind,
    depth: 0,
    title,
    href: kind === 'delivery' ? addressOf.delivery(id) : undefined,
    state: undefined,
    detail: about,
    fromMs: Date.parse(at),
    toMs: undefined,
    mergedInto: undefined
  })
  return [
    ...acceptedAt === null ? [] : [moment('delivery', acceptedAt, 'Delivery accepted')],
    moment('event', createdAt, 'Event became a job')
  ]
}

function stepsOfJob (job: Job, requestId: string, nowMs: number): Step[] {
  const { id, jobType, status, createdAt, finishedAt, attempts, coalescedInto } = job
  const isMerged = coalescedInto !== null
  const own: Step = {
    key: `job ${id}`,
    kind: 'job',
    depth: 0,
    title: jobType,
    href: addressOf.job(id),
    state: isMerged ? { name: 'coalesced' } : { name: status },
    detail: [job.requestId === requestId ? '' : 'of another request', isMerged ? '' : reasonOf(job)]
      .filter(part => part !== '').join('; '),
    fromMs: Date.parse(createdAt),
    // The stand-in has the attempts, and shows when the work was done.
    toMs: isMerged ? undefined : endOf(finishedAt, nowMs),
    mergedInto: coalescedInto ?? undefined
  }
  return isMerged ? [own] : [own, ...attempts.flatMap((attempt, index) => stepsOfAttempt(job, attempt, index))]
}

function endOf (finishedAt: string | null, nowMs: number): number {
  return finishedAt === null ? nowMs : Date.parse(finishedAt)
}

function stepsOfAttempt ({ id }: Job, { startedAt, finishedAt, error, calls = [] }: Attempt, index: number): Step[] {
  const key = `${id} ${index}`
  return [
    {
      key: `attempt ${key}`,
      kind: 'attempt',
      depth: 1,
      title: `Attempt ${index + 1}`,
      href: undefined,
      state: { name: error === undefined ? 'succeeded' : 'failed' },
      detail: error === undefined ? '' : `${error.code}: ${error.message}`,
      fromMs: Date.parse(startedAt),
      toMs: Date.parse(finishedAt),
      mergedInto: undefined
    },
    ...calls.map((call, place): Step => ({
      key: `call ${key} ${place}`,
      kind: 'call',
      depth: 2,
      title: `${call.method} ${call.path}`,
      href: undefined,
      state: { name: answerOf(call), tone: toneOfAnswer(call) },
      detail: '',
      fromMs: Date.parse(call.at),
      toMs: Date.parse(call.at) + call.ms,
      mergedInto: undefined
    }))
  ]
}

/** The jobs that run in place of others and that the list of the request does not have. */
export function missingStandIns (jobs: readonly Pick<Job, 'id' | 'coalescedInto'>[]): string[] {
  const known = new Set(jobs.map(({ id }) => id))
  const wanted = new Set(jobs.flatMap(({ coalescedInto }) => coalescedInto ?? []))
  return [...wanted].filter(id => !known.has(id))
}
