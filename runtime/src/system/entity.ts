import { defineEntity, p } from '@mikro-orm/core'
import type { AwayAdapter } from '../adapters/away-adapters.ts'
import type { UnreadableKey } from '../credentials/rewrap/unreadable-keys.ts'
import type { Mode } from '../mode-of.ts'

/** A process of the hub that runs, or ran a moment ago. */
export const Process = defineEntity({
  name: 'Process',
  tableName: 'processes',
  properties: {
    id: p.uuid().primary(),
    role: p.text(),
    version: p.text(),
    host: p.text(),
    pid: p.integer(),
    startedAt: p.datetime(),
    seenAt: p.datetime(),
    /** Null: an older hub, which does not say it. */
    adaptersAway: p.json<AwayAdapter[]>().strictNullable(),
    /** Null: an older hub, which does not say it. */
    mode: p.text().$type<Mode>().strictNullable(),
    /** Null: an older hub, which does not say it. */
    unreadableKeys: p.json<UnreadableKey[]>().strictNullable()
  }
})

/** The level that all processes log at for a while. There is one row at most. */
export const LogLevel = defineEntity({
  name: 'LogLevel',
  tableName: 'log_levels',
  properties: {
    onlyOne: p.boolean().primary(),
    level: p.text(),
    until: p.datetime()
  }
})
