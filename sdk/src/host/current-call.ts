import { AsyncLocalStorage } from 'node:async_hooks'
import type { HttpExchange } from '../http/client.ts'
import type { AdapterCall, CallEffects } from './carrier.ts'
import type { CallSecrets } from './redact.ts'

/** The call to which the running code belongs, and the effects to store with its end. */
export interface CurrentCall {
  /** `adapterKey@version`. */
  adapter: string
  call: AdapterCall
  effects: CallEffects
  secrets: CallSecrets
  /** The credentials that the call used last. */
  credentialsVersion?: string | undefined
  /** Present when somebody records the call. They still contain secrets. */
  exchanges?: HttpExchange[] | undefined
  /** The bytes of the bodies that were recorded. */
  recordedBytes?: number
  /** Rejects the call now, even if its code still runs. */
  breakOff(error: Error): void
}

export type CurrentCallStorage = AsyncLocalStorage<CurrentCall>

export function createCurrentCall (): CurrentCallStorage {
  return new AsyncLocalStorage<CurrentCall>()
}
