import type { CallEffects } from '@linker/sdk/host'

/** An adapter and its version as a connection names them. Null: the newest version. */
export interface Pin {
  adapterKey: string
  adapterVersion: string | null
}

/**
 * The version of another connection that made the effects. No move of that connection waits for the
 * call, and a later version must not find the cursors of an earlier one.
 */
export interface CalledAs extends Pin {
  capability: string
}

/** The effects of a call, with the connection that they concern. */
export interface KeptEffects {
  connectionId: string
  effects: CallEffects
  /** Absent: the connection of the call itself. */
  calledAs?: CalledAs | undefined
}
