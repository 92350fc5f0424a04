import type { AdapterCall } from '../../host/carrier.ts'
import type { TestConnection } from '../memory-platform.ts'
import type { TestJob, TestLogLine } from '../memory-services.ts'
import type { ProbeCredentials, RouteStep, Step } from './steps.ts'

/** The config of a connection of the probe. `calls`: the connection that it may call. */
export interface ProbeConfig {
  label?: string
  calls?: string
}

/** A host that serves the probe, and the access to it that a test needs. */
export interface HostUnderTest {
  /** Opens another connection of the probe with these credentials and config. Returns its id. */
  open(credentials: ProbeCredentials, config?: ProbeConfig): Promise<string>
  /**
   * Calls the connection with the credentials stored now, and stores the effects of a call that
   * succeeds. Two calls may run at once; they are independent, like the calls of two jobs.
   */
  call(connectionId: string, call: Pick<AdapterCall, 'target' | 'args' | 'signal' | 'deadline'>): Promise<unknown>
  /** Calls a route without a connection, of the probe or of the probe under its other name. */
  callRoute(
    call: Pick<AdapterCall, 'target' | 'args' | 'signal' | 'deadline'>,
    platformType: 'probe' | 'other'
  ): Promise<unknown>
  setStatus(connectionId: string, status: TestConnection['status']): Promise<void>
  /** Returns the stored credentials. */
  credentials(connectionId: string): Promise<unknown>
  /** Replaces the stored credentials, as another process does. */
  setCredentials(connectionId: string, credentials: ProbeCredentials): Promise<void>
  /** Lists the jobs; those that still wait for their time have `delayMs`. */
  jobs(connectionId: string): Promise<Pick<TestJob, 'id' | 'jobType' | 'payload' | 'delayMs'>[]>
  /** Lets this time pass: values expire and leases lapse. */
  pass(ms: number): Promise<void>
  now(): Date
  /** All log lines so far, of all connections. */
  readonly logs: readonly TestLogLine[]
  count(name: string): number
  observations(name: string): readonly number[]
}

export interface ContractTest {
  name: string
  /** Rejects when the host does not keep the contract. */
  run(host: HostUnderTest): Promise<void>
}

export type RunOptions = Partial<Pick<AdapterCall, 'signal' | 'deadline'>>

export type RouteOptions = RunOptions & { platformType?: 'probe' | 'other' }

/** Runs the steps in one request to the probe's route. Returns the result of each. */
export async function runRoute (
  host: HostUnderTest,
  steps: readonly RouteStep[],
  { platformType = 'probe', signal = new AbortController().signal, ...options }: RouteOptions = {}
): Promise<unknown[]> {
  const request = { method: 'POST', params: {}, query: {}, headers: {}, body: { steps }, requestId: 'probe-request' }
  const { body } = await host.callRoute(
    { target: { kind: 'route', index: 0 }, args: [request], signal, ...options },
    platformType
  ) as { body: unknown[] }
  return body
}

/** Runs one step in a request of its own. */
export async function askRoute (host: HostUnderTest, step: RouteStep, options?: RouteOptions): Promise<unknown> {
  return (await runRoute(host, [step], options))[0]
}

/** A connection of the probe, as the tests use it. */
export interface Probe {
  id: string
  host: HostUnderTest
  /** Runs the steps in one call. Returns the result of each. */
  run(steps: readonly Step[], options?: RunOptions): Promise<unknown[]>
  /** Runs one step in a call of its own. */
  ask(step: Step, options?: RunOptions): Promise<unknown>
}

const goodForMs = 3_600_000

export function credentialsOf (host: HostUnderTest, accessToken: string, goodMs = goodForMs): ProbeCredentials {
  return {
    accessToken,
    refreshToken: `refresh-of-${accessToken}`,
    expiresAt: new Date(host.now().getTime() + goodMs).toISOString()
  }
}

export async function openProbe (
  host: HostUnderTest,
  credentials = credentialsOf(host, 'first-token'),
  config: ProbeConfig = {}
): Promise<Probe> {
  const id = await host.open(credentials, config)
  let lastJob = 0

  async function run (
    steps: readonly Step[],
    { signal = new AbortController().signal, ...options }: RunOptions = {}
  ): Promise<unknown[]> {
    const job = { id: `probe-${++lastJob}`, type: 'probe.run', payload: { steps } }
    const { result } = await host.call(id, {
      target: { kind: 'job', jobType: 'probe.run' },
      args: [job],
      signal,
      ...options
    }) as { result: unknown[] }
    return result
  }

  return { id, host, run, ask: async (step, options) => (await run([step], options))[0] }
}
