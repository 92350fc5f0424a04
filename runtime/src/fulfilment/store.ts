import type { InferEntity } from '@mikro-orm/core'
import type { Query } from '../database/database.ts'
import type { RoutingRuleRow } from './entity.ts'
import type { RoutingRule } from './schemas.ts'
import { insertRules, selectNaming, selectRuleSet } from './statements.ts'

export type RuleRow = Pick<
  InferEntity<typeof RoutingRuleRow>,
  'sourceDeliveryMethodId' | 'processorKind' | 'processorConnectionId'
>

export interface RuleSet {
  version: number
  rules: RuleRow[]
}

/**
 * Returns the rules of a marketplace's connection and the version of the set, 0 for a set that
 * never existed. One statement reads both, so that they belong together.
 */
export async function readRuleSet (query: Query, connectionId: string): Promise<RuleSet> {
  const [set] = await query<RuleSet>(selectRuleSet, [connectionId])
  return set ?? { version: 0, rules: [] }
}

/** Makes the set of a marketplace's rules if it has none, and locks it. Returns its version. */
export async function lockRuleSet (query: Query, connectionId: string): Promise<number | undefined> {
  await query(
    'insert into routing_rule_sets (connection_id, version) values ($1, 0) on conflict do nothing',
    [connectionId]
  )
  const [set] = await query<{ version: number }>(
    'select version from routing_rule_sets where connection_id = $1 for update',
    [connectionId]
  )
  return set?.version
}

/** Puts rules in the place of all rules of a locked set, and raises its version. */
export async function storeRules (query: Query, connectionId: string, items: readonly RoutingRule[]): Promise<void> {
  await query('delete from routing_rules where connection_id = $1', [connectionId])
  await query(insertRules, [connectionId, JSON.stringify(items)])
  await query('update routing_rule_sets set version = version + 1 where connection_id = $1', [connectionId])
}

/** Returns the other marketplaces whose rules name a connection as the carrier. */
export async function findRulesNaming (
  query: Query,
  connectionId: string
): Promise<{ id: string, name: string, count: number }[]> {
  return query<{ id: string, name: string, count: number }>(selectNaming, [connectionId])
}
