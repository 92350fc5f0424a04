import { defineEntity, p } from '@mikro-orm/core'

/** A version of the hub that changed the schema. */
export const HubVersion = defineEntity({
  name: 'HubVersion',
  tableName: 'hub_versions',
  properties: {
    version: p.text().primary(),
    /** When it changed the schema last. */
    migratedAt: p.datetime()
  }
})
