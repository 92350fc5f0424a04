import type { Registry } from '../adapters/registry.ts'
import { refusal } from '../http/refusal.ts'
import type { Database, Query } from '../database/database.ts'
import { InvalidRequestError, PreconditionFailedError } from '../errors.ts'
import { checkRules } from './check-rules.ts'
import { candidatesFor, readCarriers, withMissingAdapters } from './carriers.ts'
import type { RoutingRule } from './schemas.ts'

export interface RuleRow {
  sourceDeliveryMethodId: string
  processorKind: 'hub_managed_carrier' | 'source_brokered'
  processorConnectionId: string | null
}

export interface RuleSet {
  version: number
  rules: RuleRow[]
}

const rulesAsJson = `
  select jsonb_agg(
    jsonb_build_object(
      'sourceDeliveryMethodId', source_delivery_method_id,
      'processorKind', processor_kind,
      'processorConnectionId', processor_connection_id
    )
    order by position
  )
  from routing_rules
  where connection_id = $1`

const selectRuleSet = `
  select
    coalesce((select version from routing_rule_sets where connection_id = $1), 0) as version,
    coalesce((${rulesAsJson}), '[]') as rules`

/**
 * Answers the rules of a marketplace's connection and the version of the set, 0 for a set that
 * never existed. One statement reads both, so that they belong together.
 */
export async function readRuleSet (query: Query, connectionId: string): Promise<RuleSet> {
  const [set] = await query<RuleSet>(selectRuleSet, [connectionId])
  return set ?? { version: 0, rules: [] }
}

export interface Replacement {
  items: readonly RoutingRule[]
  expectedVersion: number | undefined
}

const insertRules = `
  insert into routing_rules (
    connection_id, source_delivery_method_id, processor_kind, processor_connection_id, position
  )
  select
    $1, rule ->> 'sourceDeliveryMethodId', rule ->> 'processorKind',
    (rule ->> 'processorConnectionId')::uuid, position
  from jsonb_array_elements($2::jsonb) with ordinality as given (rule, position)
  where rule ->> 'processorKind' <> 'omp_fulfilled'`

/**
 * Replaces the whole set, or leaves it alone. When several requests come at once, the last one wins
 * and the sets are never mixed.
 */
export async function replaceRuleSet (
  database: Database,
  registry: Registry,
  connectionId: string,
  { items, expectedVersion }: Replacement
): Promise<RuleSet> {
  return database.transaction(async ({ query }) => {
    await query(
      'insert into routing_rule_sets (connection_id, version) values ($1, 0) on conflict do nothing',
      [connectionId]
    )
    const [set] = await query<{ version: number }>(
      'select version from routing_rule_sets where connection_id = $1 for update',
      [connectionId]
    )
    if (expectedVersion !== undefined && expectedVersion !== set?.version) throw new PreconditionFailedError()
    const carriers = withMissingAdapters(await readCarriers(query), registry)
    const problems = checkRules(items, candidatesFor(connectionId, carriers))
    if (problems.length > 0) throw refusal(problems, InvalidRequestError)
    await query('delete from routing_rules where connection_id = $1', [connectionId])
    await query(insertRules, [connectionId, JSON.stringify(items)])
    await query('update routing_rule_sets set version = version + 1 where connection_id = $1', [connectionId])
    return readRuleSet(query, connectionId)
  })
}

/** Answers a rule as the API shows it. */
export function describeRule ({ sourceDeliveryMethodId, processorKind, processorConnectionId }: RuleRow): RoutingRule {
  return { sourceDeliveryMethodId, processorKind, ...(processorConnectionId === null ? {} : { processorConnectionId }) }
}
