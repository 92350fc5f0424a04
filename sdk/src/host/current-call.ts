import { AsyncLocalStorage } from 'node:async_hooks'
import type { AdapterCall, CallEffects } from './carrier.ts'
import type { CallSecrets } from './redact.ts'

/** The call that the running code belongs to, and what it has asked to be stored with its end. */
export interface CurrentCall {
  /** `adapterKey@version`. */
  adapter: string
  call: AdapterCall
  effects: CallEffects
  secrets: CallSecrets
  /** Rejects the call now, whatever its code still does. */
  breakOff(error: Error): void
}

export type CurrentCallStorage = AsyncLocalStorage<CurrentCall>

export function createCurrentCall (): CurrentCallStorage {
  return new AsyncLocalStorage<CurrentCall>()
}
