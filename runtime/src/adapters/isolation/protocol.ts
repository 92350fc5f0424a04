import type { Log, Manifest, WebhookDelivery } from '@linker/sdk'
import type {
  AdapterCall,
  AdapterDescription,
  CallAnswer,
  ErrorData,
  HostServices,
  HttpRequestEvent,
  ThreadMemory
} from '@linker/sdk/host'

// The messages between the hub and the thread of an adapter. They are plain data, because
// everything here crosses between threads.

/** The data that a thread starts with. */
export interface ThreadData {
  /** `adapterKey@version`. */
  adapter: string
  /** file: URL of the module. */
  entry: string
  manifest: Manifest
  platformSettings: Readonly<Record<string, unknown>>
  outboundAllow: readonly string[]
}

/** The report of an import. */
export interface ImportReport {
  description: AdapterDescription
  /** Globals and members of built-in prototypes that the import changed. */
  patched: readonly string[]
}

/**
 * Bytes in the isolate of one thread. The resident set belongs to the process and cannot be split
 * by thread.
 */
export interface MemoryReport extends ThreadMemory {
  /** A part of `external`. */
  arrayBuffers: number
}

export type Outcome<Value> = { value: Value } | { error: ErrorData }
export type CallData = Omit<AdapterCall, 'signal'>

/** The functions of the thread that the hub calls. */
export interface ThreadFunctions {
  load(): Promise<Outcome<ImportReport>>
  call(id: number, call: CallData): Promise<Outcome<CallAnswer>>
  /** The thread answers when it has reported the requests that the abort broke off. */
  abort(id: number): void
  forget(connectionId: string): void
  /** The thread answers when its event loop turns. */
  ping(): MemoryReport
}

/** The functions of the hub that the thread calls. */
export type HubFunctions =
  & {
    [Name in Exclude<keyof HostServices, 'log' | 'count' | 'observe' | 'upstream'>]: HostServices[Name]
  }
  & {
    log(level: keyof Log, fields: object, message: string): void,
    count(name: string, by: number): void,
    observe(name: string, value: number): void,
    upstream(event: HttpRequestEvent, connectionId: string | undefined, traceId: string | undefined): void
  }

/** A delivery that the function of an adapter has to judge. */
export interface ProofQuestion {
  id: number
  delivery: WebhookDelivery
}

export interface ProofAnswer {
  id: number
  verdict?: boolean
  /** Why there is no verdict. It contains no part of the delivery. */
  failure?: string
}
