import type { Registry } from '../adapters/registry.ts'
import { listChanges } from '../audit/list-changes.ts'
import { recordChange } from '../audit/store.ts'
import { holdPresent } from '../connections/store.ts'
import type { Database } from '../database/database.ts'
import { ConnectionNotFoundException, InvalidRequestError, PreconditionFailedError } from '../errors.ts'
import { refusal } from '../http/refusal.ts'
import { candidatesFor, readCarriers, withMissingAdapters } from './carriers.ts'
import { checkRules } from './check-rules.ts'
import type { RoutingRule } from './schemas.ts'
import { lockRuleSet, readRuleSet, storeRules, type RuleRow, type RuleSet } from './store.ts'

export interface Replacement {
  items: readonly RoutingRule[]
  expectedVersion: number | undefined
}

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
  const named = items.flatMap(({ processorConnectionId }) => processorConnectionId ?? [])
  return database.transaction(async ({ query }) => {
    // A carrier that is deleted at the same moment is no candidate below.
    if (!(await holdPresent(query, [connectionId, ...named])).has(connectionId)) {
      throw new ConnectionNotFoundException(connectionId)
    }
    const version = await lockRuleSet(query, connectionId)
    if (expectedVersion !== undefined && expectedVersion !== version) throw new PreconditionFailedError()
    const carriers = withMissingAdapters(await readCarriers(query), registry)
    const problems = checkRules(items, candidatesFor(connectionId, carriers))
    if (problems.length > 0) throw refusal(problems, InvalidRequestError)
    const { rules: before } = await readRuleSet(query, connectionId)
    await storeRules(query, connectionId, items)
    const stored = await readRuleSet(query, connectionId)
    await recordChange(query, {
      action: 'routing-rules.replace',
      connectionId,
      changes: listChanges(
        { items: before.map(describeRule) },
        { items: stored.rules.map(describeRule) },
        () => false
      )
    })
    return stored
  })
}

/** Returns a rule as the API shows it. */
export function describeRule ({ sourceDeliveryMethodId, processorKind, processorConnectionId }: RuleRow): RoutingRule {
  return { sourceDeliveryMethodId, processorKind, processorConnectionId: processorConnectionId ?? undefined }
}
