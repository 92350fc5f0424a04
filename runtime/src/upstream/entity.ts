import { defineEntity, p } from '@mikro-orm/core'
import type { UpstreamState as State } from './stored-state.ts'

/** The traffic to the platform of one connection, as all processes share it. */
export const UpstreamState = defineEntity({
  name: 'UpstreamState',
  tableName: 'upstream_states',
  properties: {
    connectionId: p.uuid().primary(),
    /** A process changes only the version that it has read. */
    version: p.bigint(),
    state: p.json<State>(),
    /** Whether every process must look at the state before it sends a request. */
    isGuarded: p.boolean()
  }
})
