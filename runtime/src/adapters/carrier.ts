/** What a call needs of its connection. Plain data: it may cross into a worker. */
export interface ConnectionSnapshot {
  id: string
  platformType: string
  config: Record<string, unknown>
  credentials: unknown
  /** Changes with the config or the credentials; a client made for another version is not used again. */
  version: string
}

/** What is called on an adapter. */
export type CallTarget =
  { kind: 'capability', capability: string, method: string } |
  { kind: 'job', jobType: string } |
  { kind: 'test' }

/** One call. Arguments and result are structured-cloneable, so that an adapter cannot tell where it runs. */
export interface AdapterCall {
  connection: ConnectionSnapshot
  target: CallTarget
  args: readonly unknown[]
  signal: AbortSignal
  requestId?: string
}

/** Runs the calls to one adapter version. Rejects with the adapter's own error, its `code` kept and its secrets removed. */
export interface Carrier {
  call (call: AdapterCall): Promise<unknown>
  /** Forgets the client of a connection that is gone. */
  forget (connectionId: string): void
}
