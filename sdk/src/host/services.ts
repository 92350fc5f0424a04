import type { HttpRequestEvent } from '../http/client.ts'
import type { Log } from '../context.ts'

/** Credentials as they are stored now. */
export interface StoredCredentials { value: unknown }

/**
 * What a runtime brings so that adapters can be called: everything behind a context that is not computed in place. Asynchronous, with plain
 * data only, so that the adapter may run in another thread than the services. `kv`, `cursor`, `locks` and the rest of a context are made of these.
 */
export interface HostServices {
  /** Undefined when there is none, or it has expired. */
  readValue (connectionId: string, key: string): Promise<unknown>
  /** The context has checked all four: keys, values (JSON data within their limit) and times can be stored. */
  writeValue (connectionId: string, key: string, value: unknown, ttlSeconds: number | undefined): Promise<void>
  deleteValue (connectionId: string, key: string): Promise<void>
  readCursor (connectionId: string, name: string): Promise<string | undefined>
  /** Takes the lock for `leaseMs` and answers a token, or undefined while somebody else holds it. */
  acquireLock (connectionId: string, name: string, leaseMs: number): Promise<string | undefined>
  /** Does nothing when the token's lease has lapsed. */
  releaseLock (connectionId: string, name: string, token: string): Promise<void>
  readCredentials (connectionId: string): Promise<StoredCredentials>
  replaceCredentials (connectionId: string, value: unknown): Promise<void>
  /** Id of the job that enqueueing this makes, or made. */
  identifyJob (connectionId: string, jobType: string, key: string): Promise<string>
  count (name: string, by: number): void
  observe (name: string, value: number): void
  log (level: keyof Log, fields: object, message: string): void
  /** One attempt of a request to the platform. */
  upstream (event: HttpRequestEvent, connectionId: string | undefined): void
}
