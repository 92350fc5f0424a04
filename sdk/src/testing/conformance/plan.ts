import { randomBytes } from 'node:crypto'
import { createWebhookSecret } from '../../host/verify/secret.ts'
import { turningTime } from './loop-time.ts'
import type { Experiment, PlannedCall } from './protocol.ts'
import { emptyObject, scenarios, type Answer } from './scenarios.ts'
import { withOrigin, type ConformanceSettings, type SampleDelivery } from './settings.ts'
import type { Target } from './targets.ts'
import { startUpstream, type Arrival, type Upstream } from './upstream.ts'

/** Runs `init` and converts the credentials to their stored form. */
export const startExperiment = 'start'
/** Lets the function of the adapter judge the deliveries of the settings, and forged ones. */
export const judgingExperiment = 'webhooks'
/** Runs every call without a permitted address. */
export const withoutHttpExperiment = 'no permissions'
/**
 * Runs every call that reads an order of a marketplace, against a platform that has no such order.
 */
export const missingOrderExperiment = 'missing order'

/** Ask for the account in every way in which its id must stay the same, and for another account. */
export const accountExperiments = {
  first: 'account',
  again: 'account again',
  otherKey: 'account with another key',
  other: 'another account'
} as const

/** The system has reported every close by then; this thread only has to receive the report. */
const hearingMs = 150

export interface Planned {
  experiment: Omit<Experiment, 'origin'>
  /** The answer of the server; absent for a recorded platform. */
  answer?: Answer
  /** `{origin}` is not the address of the server but one that is the same in other experiments. */
  hasFixedOrigin?: true
}

export interface Plan {
  experiments: Planned[]
  /** Call id → the target of the call. */
  targets: ReadonlyMap<string, Target>
}

export interface PlanOptions {
  wanted: ReadonlySet<string>
  targets: readonly Target[]
  settings: ConformanceSettings
  hasInit: boolean
  checksConfig?: boolean
  /** Credentials of the same account with another key. */
  otherCredentials?: unknown
}

/** Plans the calls, once for each way in which a platform may answer. */
export function planExperiments (options: PlanOptions): Plan {
  const { wanted, targets, settings, hasInit, checksConfig = false } = options
  const ofCall = new Map<string, Target>()
  const { config = {}, credentials = null, platform = {}, capabilities = {} } = settings
  const plan = (name: string, answer: Answer, calls: PlannedCall[], withoutHttp = false): Planned => ({
    answer,
    experiment: { name, config, credentials, platform, capabilities, withoutHttp, calls }
  })

  function callsOf (experiment: string, isAborted = false, called = targets): PlannedCall[] {
    return called.map((target, index) => {
      const id = `${experiment.replaceAll(' ', '-')}-${index}`
      ofCall.set(id, target)
      return { id, name: target.name, target: target.call, args: target.args, isAborted }
    })
  }

  const start: PlannedCall[] = [
    {
      id: 'start-credentials',
      name: 'normalizeCredentials',
      target: { kind: 'normalizeCredentials' },
      args: [credentials],
      isAborted: false
    },
    ...(checksConfig
      ? [{
        id: 'start-config',
        name: 'checkConfig',
        target: { kind: 'checkConfig' as const },
        args: [config],
        isAborted: false
      }]
      : []),
    ...(hasInit
      ? [{ id: 'start-init', name: 'init', target: { kind: 'init' as const }, args: [], isAborted: false }]
      : [])
  ]
  const accountReads = targets.filter(({ call }) => call.kind === 'account')
  const planAccount = (name: string, answer: Answer, given: Partial<Planned['experiment']> = {}): Planned => {
    const planned = plan(name, answer, callsOf(name, false, accountReads).map(call => ({ ...call, isDryRun: true })))
    return { ...planned, hasFixedOrigin: true, experiment: { ...planned.experiment, runsFirst: true, ...given } }
  }
  const accounts = accountReads.length === 0 ? [] : planAccounts(options, planAccount)
  const orderReads = targets.filter(readsOrder)
  const all = [
    plan(startExperiment, emptyObject, start),
    ...scenarios.map(({ name, answer, isAborted }) => plan(name, answer, callsOf(name, isAborted))),
    plan(missingOrderExperiment, missingOrderAnswer(settings), callsOf(missingOrderExperiment, false, orderReads)),
    ...accounts,
    plan(judgingExperiment, emptyObject, judgements(settings)),
    plan(withoutHttpExperiment, emptyObject, callsOf(withoutHttpExperiment), true)
  ]
  return { experiments: all.filter(({ experiment }) => wanted.has(experiment.name)), targets: ofCall }
}

/** The calls that judge a delivery: as it is, with another secret, and with another body. */
export const judgementIds = (index: number) => ({
  genuine: `delivery-${index}`,
  otherSecret: `delivery-${index}-secret`,
  otherBody: `delivery-${index}-body`
})

function judgements ({ deliveries = [] }: ConformanceSettings): PlannedCall[] {
  return deliveries.flatMap((delivery, index) => {
    const { genuine, otherSecret, otherBody } = judgementIds(index)
    const call = (id: string, sample: SampleDelivery): PlannedCall => ({
      id,
      name: 'verify',
      target: { kind: 'verifyWebhook' },
      args: [sample],
      isAborted: false
    })
    return [
      call(genuine, delivery),
      call(otherSecret, { ...delivery, secret: createWebhookSecret(randomBytes) }),
      call(otherBody, { ...delivery, body: `${delivery.body} ` })
    ]
  })
}

function planAccounts (
  { settings: { accounts = [] }, otherCredentials }: PlanOptions,
  planAccount: (name: string, answer: Answer, given?: Partial<Planned['experiment']>) => Planned
): Planned[] {
  const { first, again, otherKey, other } = accountExperiments
  const [usual = emptyObject, another] = accounts.map((body): Answer => jsonAnswer(200, body))
  if (accounts.length === 0) return [planAccount(first, usual)]
  return [
    planAccount(first, usual),
    planAccount(again, usual),
    ...otherCredentials === undefined ? [] : [planAccount(otherKey, usual, { credentials: otherCredentials })],
    ...another === undefined ? [] : [planAccount(other, another)]
  ]
}

const marketplaces: readonly string[] = ['Marketplace', 'OrderSource']

function readsOrder ({ call }: Target): boolean {
  return call.kind === 'capability' && call.method === 'getOrder' && marketplaces.includes(call.capability)
}

function missingOrderAnswer ({ missingOrder }: ConformanceSettings): Answer {
  if (missingOrder === undefined) return { kind: 'quote', status: 404 }
  const { status = 404, body } = missingOrder
  return jsonAnswer(status, body)
}

function jsonAnswer (status: number, body: unknown): Answer {
  return { kind: 'answer', status, type: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}

export interface Servers {
  experiments: Experiment[]
  arrivals(): ReadonlyMap<string, readonly Arrival[]>
  /**
   * Notes the open connections of an experiment. Call it before the thread closes the connections
   * of its aborted calls.
   */
  look(experiment: string): Promise<void>
  /** Returns the requests of aborted calls whose connection was open at the look. */
  leftOpen(): Arrival[]
  close(): Promise<void>
}

/**
 * Starts one server for each experiment. It aborts a call as soon as the call's request has
 * arrived, however long that takes.
 */
export async function startExperiments ({ experiments }: Plan, abort: (callId: string) => void): Promise<Servers> {
  const aborted = new Map<string, Arrival[]>()
  const open: Arrival[] = []
  const started = await Promise
    .all(experiments
      .map(async ({ experiment, answer, hasFixedOrigin }): Promise<{ upstream?: Upstream, experiment: Experiment }> => {
        if (answer === undefined) return { experiment: withoutServer(experiment) }
        const calls = new Set(experiment.calls.filter(({ isAborted }) => isAborted).map(({ id }) => id))
        const arrivals: Arrival[] = []
        aborted.set(experiment.name, arrivals)
        const upstream = await startUpstream(answer, arrival => {
          if (calls.size === 0) return
          // A request without a call id may belong to any call.
          if (arrival.callId === undefined) calls.forEach(abort)
          else abort(arrival.callId)
          arrivals.push(arrival)
        })
        const { origin } = upstream
        const address = hasFixedOrigin === true ? unusedOrigin : origin
        return { upstream, experiment: { ...withOrigin({ ...experiment, origin }, address), origin } }
      }))
  return {
    experiments: started.map(({ experiment }) => experiment),
    arrivals: () => new Map(started.map(({ experiment, upstream }) => [experiment.name, upstream?.arrivals ?? []])),
    async look (experiment) {
      await turningTime(hearingMs)
      open.push(...(aborted.get(experiment) ?? []).filter(({ socket }) => !socket.destroyed))
    },
    leftOpen: () => open,
    close: async () => {
      await Promise.all(started.map(({ upstream }) => upstream?.close()))
    }
  }
}

/** No request leaves the HTTP client, so nobody has to listen there. */
const unusedOrigin = 'http://127.0.0.1:9'

/** In a recording, `{origin}` is the address that the adapter asks. */
function withoutServer ({ replay, ...experiment }: Planned['experiment']): Experiment {
  return {
    ...withOrigin({ ...experiment, origin: unusedOrigin }, unusedOrigin),
    ...(replay === undefined ? {} : { replay })
  }
}
