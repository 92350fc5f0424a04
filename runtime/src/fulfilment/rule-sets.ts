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

/**
 * The rules of a marketplace's connection with the version of the set, 0 when there never was one:
 * both of one moment.
 */
export async function readRuleSet (query: Query, connectionId: string): Promise<RuleSet> {
  const [set] = await query<RuleSet>(
    `
    select coalesce((select version from routing_rule_sets where connection_id = $1), 0) as version,
      coalesce((select jsonb_agg(jsonb_build_object('sourceDeliveryMethodId', source_delivery_method_id, 'processorKind', processor_kind, 'processorConnectionId', processor_connection_id) order by position)
        from routing_rules where connection_id = $1), '[]') as rules`,
    [connectionId]
  )
  return set ?? { version: 0, rules: [] }
}

export interface Replacement {
  items: readonly RoutingRule[]
  expectedVersion: number | undefined
}

/**
 * Replaces the whole set, or nothing of it. Of several at once the last one stands, never a
 * mixture.
 */
export async function replaceRuleSet (
  database: Database,
  registry: Registry,
  connectionId: string,
  { items, expectedVersion }: Replacement
): Promise<RuleSet> {
  return database.transaction(async ({ query }) => {
    await query('insert into routing_rule_sets (connection_id, version) values ($1, 0) on conflict do nothing', [
      connectionId
    ])
    const [set] = await query<{ version: number }>(
      'select version from routing_rule_sets where connection_id = $1 for update',
      [connectionId]
    )
    if (expectedVersion !== undefined && expectedVersion !== set?.version) throw new PreconditionFailedError()
    const problems = checkRules(
      items,
      candidatesFor(connectionId, withMissingAdapters(await readCarriers(query), registry))
    )
    if (problems.length > 0) throw refusal(problems, InvalidRequestError)
    await query('delete from routing_rules where connection_id = $1', [connectionId])
    await query(
      `
      insert into routing_rules (connection_id, source_delivery_method_id, processor_kind, processor_connection_id, position)
      select $1, rule ->> 'sourceDeliveryMethodId', rule ->> 'processorKind', (rule ->> 'processorConnectionId')::uuid, position
      from jsonb_array_elements($2::jsonb) with ordinality as given (rule, position)
      where rule ->> 'processorKind' <> 'omp_fulfilled'`,
      [connectionId, JSON.stringify(items)]
    )
    await query('update routing_rule_sets set version = version + 1 where connection_id = $1', [connectionId])
    return readRuleSet(query, connectionId)
  })
}

/** As the API shows it. */
export function describeRule ({ sourceDeliveryMethodId, processorKind, processorConnectionId }: RuleRow): RoutingRule {
  return { sourceDeliveryMethodId, processorKind, ...(processorConnectionId === null ? {} : { processorConnectionId }) }
}
