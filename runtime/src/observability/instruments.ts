import { Gauge, type Registry } from 'prom-client'
import { createCount, createFewNames, createKnownNames, createSeconds, createSummary, other } from './series.ts'

/** One run of a job, as it ended. */
export interface SettledRun {
  jobType: string
  adapter: string | undefined
  ending: 'succeeded' | 'dead' | 'cancelled' | 'put back'
  /** The code of the problem. Absent after a success and when the run was only aborted. */
  code: string | undefined
  /** Whether it failed. A run that only had to wait, as for a pause, did not. */
  hasFailed: boolean
  /** From its claim to the end of its handler. */
  seconds: number
}

export interface InstrumentsOptions {
  register: Registry
  /** The platforms whose names become labels. */
  platforms(): Iterable<string>
  /** The job types whose names become labels. */
  jobTypes(): Iterable<string>
  /** The adapters and the state that each is in. */
  adapterStates(): Iterable<readonly [adapter: string, state: string]>
}

/**
 * Counts what happens in the hub. No function here throws, whatever an adapter reports. `adapter`
 * is always the `adapterKey@version` of a loaded adapter.
 */
export interface Metrics {
  /** `outcome` is `accepted`, `duplicate` or the code of the refusal. */
  webhook(provider: string, outcome: string): void
  /** A request was refused because of its token; `code` is that of the refusal. */
  refusedToken(code: string): void
  jobSettled(run: Omit<SettledRun, 'hasFailed'>): void
  /** One attempt of one request of an adapter. */
  upstream(adapter: string, attempt: { status?: number, durationMs: number }): void
  /** A request was not sent, because it would have had to wait too long. */
  upstreamWait(adapter: string, reason: string): void
  /** The circuit breaker of a connection opened, or opened again. */
  breakerOpened(adapter: string): void
  /** How many circuit breakers are open, in all processes. */
  breakersOpen(count: number): void
  /**
   * One call on an adapter. `target` says in a few words what was called; `outcome` is `succeeded`
   * or the code of the error.
   */
  call(adapter: string, target: string, outcome: string, seconds: number): void
  /** An adapter in this thread kept everything else from running for `seconds`. */
  blocked(adapter: string, seconds: number): void
  /** Counts a figure of an adapter. Ignores a number that is not finite or is below zero. */
  adapterCount(adapter: string, name: string, by: number): void
  /** Records a measurement of an adapter. Ignores a number that is not finite. */
  adapterObserve(adapter: string, name: string, value: number): void
}

const jobBuckets = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]
const callBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const blockedBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const codes = { form: /^(?:LNK_[A-Z0-9_]{1,60}|[a-z]{1,30})$/, most: 30 }
const targets = { form: /^[\x20-\x7e]{1,100}$/, most: 200 }
// The SDK promises this form and this number of names (`context.metrics`).
const adapterNames = { form: /^[a-z][a-z0-9_]{0,63}$/, most: 50 }

export function createInstruments ({ register, platforms, jobTypes, adapterStates }: InstrumentsOptions): Metrics {
  showStates(register, adapterStates)
  return {
    ...ofWebhooks(register, platforms),
    ...ofTokens(register),
    ...ofJobs(register, jobTypes),
    ...ofAdapters(register),
    ...ofGates(register),
    ...byAdapters(register)
  }
}

function ofWebhooks (register: Registry, platforms: () => Iterable<string>): Pick<Metrics, 'webhook'> {
  const provider = createKnownNames(platforms, 'unknown')
  const count = createCount({
    register,
    name: 'linker_webhooks_total',
    help: 'Deliveries by platform and outcome: accepted, duplicate, or the code of the refusal',
    labelNames: ['provider', 'outcome']
  })
  return {
    webhook (name, outcome) {
      // The hub authenticated the delivery for a connection of that platform, so the name is real
      // even when its adapter is missing now.
      if (outcome === 'accepted' || outcome === 'duplicate') provider.add(name)
      count([provider.of(name), outcome])
    }
  }
}

function ofTokens (register: Registry): Pick<Metrics, 'refusedToken'> {
  const count = createCount({
    register,
    name: 'linker_refused_tokens_total',
    help: 'Requests refused for a token that is missing, wrong or lacks the scope, by the code of the refusal',
    labelNames: ['code']
  })
  return {
    refusedToken (code) {
      count([code])
    }
  }
}

function ofJobs (register: Registry, jobTypes: () => Iterable<string>): Pick<Metrics, 'jobSettled'> {
  const typeOf = createKnownNames(jobTypes, other).of
  const reasonOf = createFewNames(codes)
  const countEnd = createCount({
    register,
    name: 'linker_jobs_ended_total',
    help: 'Jobs whose last run ended: succeeded, dead or cancelled',
    labelNames: ['job_type', 'adapter', 'outcome']
  })
  const countPutBack = createCount({
    register,
    name: 'linker_jobs_put_back_total',
    help: 'Runs after which the job went back into the queue, by the code of the problem',
    labelNames: ['job_type', 'adapter', 'reason']
  })
  const observe = createSeconds({
    register,
    name: 'linker_job_seconds',
    help: 'Duration of a run of a job, with any outcome',
    labelNames: ['job_type', 'adapter'],
    buckets: jobBuckets
  })
  return {
    jobSettled ({ jobType, adapter = 'none', ending, code = 'stopped', seconds }) {
      const type = typeOf(jobType)
      observe([type, adapter], seconds)
      if (ending === 'put back') countPutBack([type, adapter, reasonOf(adapter, code)])
      else countEnd([type, adapter, ending])
    }
  }
}

function showStates (register: Registry, adapterStates: InstrumentsOptions['adapterStates']): void {
  const state = new Gauge({
    registers: [register],
    name: 'linker_adapter_state',
    help: '1 for the present state of the adapter',
    labelNames: ['adapter', 'state'],
    collect () {
      state.reset()
      for (const [adapter, current] of adapterStates()) state.set({ adapter, state: current }, 1)
    }
  })
}

function ofAdapters (register: Registry): Pick<Metrics, 'upstream' | 'call' | 'blocked'> {
  const countRequest = createCount({
    register,
    name: 'linker_upstream_requests_total',
    help: 'Attempts to send requests to platforms, by class of status; none when no answer came',
    labelNames: ['adapter', 'status']
  })
  const observeRequest = createSeconds({
    register,
    name: 'linker_upstream_seconds',
    help: 'Duration of an attempt to send a request to a platform',
    labelNames: ['adapter'],
    buckets: callBuckets
  })
  const countCall = createCount({
    register,
    name: 'linker_adapter_calls_total',
    help: 'Calls on an adapter by target and outcome: succeeded, or the code of the error',
    labelNames: ['adapter', 'target', 'outcome']
  })
  const observeCall = createSeconds({
    register,
    name: 'linker_adapter_call_seconds',
    help: 'Duration of a call on an adapter',
    labelNames: ['adapter', 'target'],
    buckets: callBuckets
  })
  const observeBlocked = createSeconds({
    register,
    name: 'linker_adapter_blocked_seconds',
    help: 'Times for which an adapter blocked the event loop of the hub',
    labelNames: ['adapter'],
    buckets: blockedBuckets
  })
  const targetOf = createFewNames(targets)
  const outcomeOf = createFewNames(codes)
  return {
    upstream (adapter, { status, durationMs }) {
      countRequest([adapter, classOf(status)])
      observeRequest([adapter], durationMs / 1_000)
    },
    call (adapter, target, outcome, seconds) {
      const name = targetOf(adapter, target)
      countCall([adapter, name, outcomeOf(adapter, outcome)])
      observeCall([adapter, name], seconds)
    },
    blocked (adapter, seconds) {
      observeBlocked([adapter], seconds)
    }
  }
}

function ofGates (register: Registry): Pick<Metrics, 'upstreamWait' | 'breakerOpened' | 'breakersOpen'> {
  const countWait = createCount({
    register,
    name: 'linker_upstream_waits_total',
    help: 'Requests that were not sent, because their connection had no place for them soon enough, by reason',
    labelNames: ['adapter', 'reason']
  })
  const countOpening = createCount({
    register,
    name: 'linker_upstream_breaker_openings_total',
    help: 'Times that the circuit breaker of a connection opened, or opened again after a failed probe',
    labelNames: ['adapter']
  })
  const open = new Gauge({
    registers: [register],
    name: 'linker_upstream_breakers_open',
    help: 'Circuit breakers that are not closed now, the same in every process'
  })
  return {
    upstreamWait (adapter, reason) {
      countWait([adapter, reason])
    },
    breakerOpened (adapter) {
      countOpening([adapter])
    },
    breakersOpen (count) {
      open.set(count)
    }
  }
}

/** An answer may carry any number as its status. */
function classOf (status = 0): string {
  return status >= 100 && status < 1_000 ? `${Math.floor(status / 100)}xx` : 'none'
}

function byAdapters (register: Registry): Pick<Metrics, 'adapterCount' | 'adapterObserve'> {
  const nameOf = createFewNames(adapterNames)
  const count = createCount({
    register,
    name: 'linker_adapter_events_total',
    help: 'Events that adapters count themselves',
    labelNames: ['adapter', 'name']
  })
  const observe = createSummary({
    register,
    name: 'linker_adapter_values',
    help: 'Values that adapters measure themselves, in their own units',
    labelNames: ['adapter', 'name']
  })
  return {
    adapterCount (adapter, name, by) {
      count([adapter, nameOf(adapter, name)], by)
    },
    adapterObserve (adapter, name, value) {
      observe([adapter, nameOf(adapter, name)], value)
    }
  }
}
