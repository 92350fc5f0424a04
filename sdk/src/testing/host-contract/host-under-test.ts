import type { AdapterCall } from '../../host/carrier.ts'
import type { TestJob, TestLogLine } from '../memory-services.ts'
import type { ProbeCredentials, Step } from './steps.ts'

/** A host that serves the probe, and what a test has to see of it. */
export interface HostUnderTest {
  /** Makes another connection of the probe with these credentials. Answers its id. */
  open (credentials: ProbeCredentials): Promise<string>
  /**
   * Calls the connection with the credentials that are stored now, and stores what the call wants stored when it succeeds. Two calls may be on
   * their way at once, and then they are independent, as those of two jobs.
   */
  call (connectionId: string, call: Pick<AdapterCall, 'target' | 'args' | 'signal' | 'deadline'>): Promise<unknown>
  /** As they are stored now. */
  credentials (connectionId: string): Promise<unknown>
  /** Stores others, as another process does. */
  setCredentials (connectionId: string, credentials: ProbeCredentials): Promise<void>
  jobs (connectionId: string): Promise<Pick<TestJob, 'id' | 'jobType' | 'payload'>[]>
  /** Lets values expire and leases lapse that do in this time. */
  pass (ms: number): Promise<void>
  now (): Date
  /** All that was told so far, by all connections. */
  readonly logs: readonly TestLogLine[]
  count (name: string): number
  observations (name: string): readonly number[]
}

export interface ContractTest {
  name: string
  /** Rejects when the host does not keep the contract. */
  run (host: HostUnderTest): Promise<void>
}

export type RunOptions = Partial<Pick<AdapterCall, 'signal' | 'deadline'>>

/** A connection of the probe as the tests use it. */
export interface Probe {
  id: string
  host: HostUnderTest
  /** Runs the steps in one call. Answers what each answered. */
  run (steps: readonly Step[], options?: RunOptions): Promise<unknown[]>
  /** Runs one step in a call of its own. */
  ask (step: Step, options?: RunOptions): Promise<unknown>
}

const goodForMs = 3_600_000

export function credentialsOf (host: HostUnderTest, accessToken: string, goodMs = goodForMs): ProbeCredentials {
  return { accessToken, refreshToken: `refresh-of-${accessToken}`, expiresAt: new Date(host.now().getTime() + goodMs).toISOString() }
}

export async function openProbe (host: HostUnderTest, credentials = credentialsOf(host, 'first-token')): Promise<Probe> {
  const id = await host.open(credentials)
  let lastJob = 0

  async function run (steps: readonly Step[], { signal = new AbortController().signal, ...options }: RunOptions = {}): Promise<unknown[]> {
    const job = { id: `probe-${++lastJob}`, type: 'probe.run', payload: { steps } }
    const { result } = await host.call(id, { target: { kind: 'job', jobType: 'probe.run' }, args: [job], signal, ...options }) as { result: unknown[] }
    return result
  }

  return { id, host, run, ask: async (step, options) => (await run([step], options))[0] }
}
