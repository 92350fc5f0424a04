import { inspect } from 'node:util'
import { Agent, type Dispatcher } from 'undici'
import type { Adapter } from '../../adapter.ts'
import { needsConnection, type Carrier, type ConnectionSnapshot } from '../../host/carrier.ts'
import { createCurrentCall, type CurrentCallStorage } from '../../host/current-call.ts'
import { encodeError } from '../../host/errors.ts'
import { createInlineCarrier } from '../../host/inline-carrier.ts'
import { isOAuthCredentials } from '../../host/oauth.ts'
import { createAddressPolicy } from '../../http/address-policy.ts'
import { createHttpClientFactory } from '../../http/client.ts'
import type { Manifest } from '../../manifest.ts'
import type { WebhookDelivery } from '../../webhooks.ts'
import { servePlatform } from '../memory-platform.ts'
import { createMemoryServices } from '../memory-services.ts'
import { settlesWithin, turningTime } from './loop-time.ts'
import { observeAdapter, type Settled } from './observe-adapter.ts'
import type { Experiment, Outcome, PlannedCall, Result } from './protocol.ts'
import { createReplayClock, openReplayedHttp, runSequence } from './replay-experiment.ts'
import type { SampleDelivery } from './settings.ts'

/** The longest time that the adapter's own function may continue after its call was aborted. */
export const longestAfterAbortMs = 1_000

export interface ExperimenterOptions {
  adapter: string
  definition: Adapter
  manifest: Manifest
  /** The longest time of a call. */
  settleMs: number
  /** Called before the adapter's own function. */
  onCall?(callId: string): void
  /** Called when the adapter's own function has returned, and when its answer has settled. */
  onOwnTurn?(callId: string): void
  /**
   * Called when aborted calls have had their time. The experimenter then closes the connections
   * that they left open.
   */
  onSettled?(experiment: string): Promise<void>
}

export interface Experimenter {
  /** Runs the experiments at the same time, but first those that say so. */
  run(experiments: readonly Experiment[]): Promise<Result[]>
  /** Aborts a call of a running experiment. */
  abort(callId: string): void
}

/** Runs the calls of experiments on an adapter in this thread, as a hub would. */
export function createExperimenter (options: ExperimenterOptions): Experimenter {
  const aborts = new Map<string, () => void>()
  const currentCall = createCurrentCall()

  async function runOne (experiment: Experiment): Promise<Result> {
    const settled = new Map<string, Promise<Settled>>()
    const definition = observeAdapter(options.definition, own => {
      const id = currentCall.getStore()?.call.requestId
      if (id === undefined) return
      settled.set(id, own)
      own.then(() => {
        options.onOwnTurn?.(id)
      }, () => undefined)
      options.onCall?.(id)
    }, () => {
      const id = currentCall.getStore()?.call.requestId
      if (id !== undefined) options.onOwnTurn?.(id)
    })
    const unsent: string[] = []
    const { http, replayed, now, advance, close } = openPlatform(experiment, currentCall, unsent)
    const { servicesOf, putConnection, recorded, storeCredentials, capabilities } = createMemoryServices(now)
    for (const [name, answers] of Object.entries(experiment.capabilities)) {
      capabilities.stub(undefined, name, answering(answers))
    }
    const { adapter, manifest } = options
    const services = servicesOf(servePlatform(manifest, definition))
    const carrier = createInlineCarrier({
      adapter,
      definition,
      manifest: experiment.withoutHttp ? withoutHttp(manifest) : manifest,
      services,
      http,
      platformSettings: experiment.platform,
      now,
      currentCall,
      redactsAnswers: false
    })
    try {
      const credentials = withGoodToken(await normalized(carrier, experiment.credentials), now())
      storeCredentials(experiment.name, credentials)
      putConnection({
        id: experiment.name,
        platformType: manifest.platformType,
        name: experiment.name,
        status: 'active',
        config: experiment.config
      })
      const connection = {
        id: experiment.name,
        platformType: manifest.platformType,
        config: experiment.config,
        credentials,
        version: '1',
        credentialsVersion: '1'
      }
      const outcomes = experiment.replay === undefined
        ? await Promise.all(experiment.calls.map(call => runCall(carrier, connection, call, settled)))
        : await runSequence({
          calls: experiment.calls,
          connection,
          advance,
          run: (own, call, requestId) => runCall(carrier, own, { ...call, id: requestId }, settled)
        })
      if (experiment.calls.some(({ isAborted }) => isAborted)) {
        await turningTime(longestAfterAbortMs)
        await options.onSettled?.(experiment.name)
      }
      return {
        name: experiment.name,
        outcomes,
        ...(replayed === undefined ? {} : { replayed: replayed() }),
        unsent,
        log: recorded.logs.map(line => inspect(line, { depth: 10 })),
        stored: [inspect(recorded.values, { depth: 10 })]
      }
    } finally {
      await close()
    }
  }

  async function runCall (
    carrier: Carrier,
    connection: ConnectionSnapshot,
    { id, target, args, isDryRun }: PlannedCall,
    settled: ReadonlyMap<string, Promise<Settled>>
  ): Promise<Outcome> {
    const controller = new AbortController()
    aborts.set(id, () => {
      controller.abort(new Error('the suite aborted the call'))
    })
    const work = carrier.call({
      connection: needsConnection(target) ? connection : undefined,
      target,
      args: target.kind === 'verifyWebhook' ? args.map(sample => deliveryOf(sample as SampleDelivery)) : args,
      signal: controller.signal,
      requestId: id,
      isDryRun
    })
      .then(
        ({ value, effects }) => ({ value, effects }),
        (error: unknown) => ({ error: encodeError(error), errorText: inspect(error, { depth: 10 }) })
      )
    const wasStopped = !await settlesWithin(options.settleMs, work)
    const wasAborted = controller.signal.aborted
    if (wasStopped) controller.abort()
    aborts.delete(id)
    return {
      id,
      wasStopped,
      ...await work,
      afterAbort: wasAborted ? await afterAbort(settled.get(id)) : undefined
    }
  }

  return {
    async run (experiments) {
      const { first = [], others = [] } = Object
        .groupBy(experiments, ({ runsFirst }) => runsFirst === true ? 'first' : 'others')
      return [...await Promise.all(first.map(runOne)), ...await Promise.all(others.map(runOne))]
    },
    abort (id) {
      aborts.get(id)?.()
    }
  }
}

/** Makes the methods of a capability from their answers. */
function answering (answers: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(answers).map(([method, answer]) => [method, () => answer]))
}

/** The plan crosses to this thread as JSON, which has no bytes. */
function deliveryOf ({ method = 'POST', query = '', headers, body, callbackUrl, secret }: SampleDelivery) {
  const delivery: WebhookDelivery = {
    method,
    query,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    rawBody: new Uint8Array(Buffer.from(body)),
    callbackUrl,
    secrets: [secret]
  }
  return delivery
}

/**
 * Returns how the adapter's own function ended after an abort. The carrier rejects at once and does
 * not wait for it.
 */
async function afterAbort (own: Promise<Settled> | undefined): Promise<NonNullable<Outcome['afterAbort']>> {
  // The abort came while it connected: nobody called its function.
  if (own === undefined) return { isSettled: true }
  if (!await settlesWithin(longestAfterAbortMs, own)) return { isSettled: false }
  const { error } = await own
  return { isSettled: true, error: error === undefined ? undefined : encodeError(error) }
}

/**
 * Converts the credentials to the form that a hub would store. Keeps credentials that the adapter
 * cannot read: its schema reports them.
 */
async function normalized (carrier: Carrier, credentials: unknown): Promise<unknown> {
  try {
    return (await carrier.call({
      target: { kind: 'normalizeCredentials' },
      args: [credentials],
      signal: new AbortController().signal
    })).value
  } catch {
    return credentials
  }
}

const goodForMs = 86_400_000

/**
 * Makes sure that the token does not expire during the run. Every call would renew an expired
 * token, at a platform that refuses the renewal in every way of the suite. The suite tests the
 * call, not the renewal, and an abort of the call does not stop a renewal.
 */
function withGoodToken (credentials: unknown, now: Date): unknown {
  if (!isOAuthCredentials(credentials) || Date.parse(credentials.expiresAt) > now.getTime() + goodForMs) {
    return credentials
  }
  return { ...credentials, expiresAt: new Date(now.getTime() + goodForMs).toISOString() }
}

/** Opens the platform of an experiment: its server, or its recording. */
function openPlatform ({ origin, replay }: Experiment, currentCall: CurrentCallStorage, unsent: string[]) {
  if (replay === undefined) {
    const { http, dispatcher } = openHttp(origin, currentCall, unsent)
    return {
      http,
      replayed: undefined,
      now: () => new Date(),
      advance: () => undefined,
      close: async () => dispatcher.destroy()
    }
  }
  const { now, advance } = createReplayClock(replay)
  return { ...openReplayedHttp(replay, currentCall, now), now, advance }
}

/**
 * Makes the client of the SDK send every request to one server, so that the suite can test an
 * adapter for a fixed address.
 */
function openHttp (origin: string, currentCall: CurrentCallStorage, unsent: string[]) {
  const agent = new Agent()
  const dispatcher: Dispatcher = agent.compose(dispatch => (options, handler) =>
    dispatch({ ...options, origin }, handler)
  )
  const { http } = createHttpClientFactory({
    addressPolicy: createAddressPolicy({ allow: [] }),
    currentCall: () => currentCall.getStore()?.call,
    dispatcher,
    onRequest ({ method, path, unsent: kept }) {
      if (kept !== undefined) unsent.push(`${method} ${path}`)
    }
  })
  return { http, dispatcher: agent }
}

function withoutHttp (manifest: Manifest): Manifest {
  return { ...manifest, permissions: { ...manifest.permissions, http: [] } }
}
