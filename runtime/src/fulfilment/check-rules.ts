import type { SchemaProblem } from '@linker/sdk/host'
import type { Candidate, RoutingRule } from './schemas.ts'

/** All that is wrong with a set of rules beside its schema. */
export function checkRules (items: readonly RoutingRule[], candidates: readonly Candidate[]): SchemaProblem[] {
  const carriers =
    new Map(candidates.flatMap(candidate =>
      candidate.processorConnectionId === undefined ? [] : [[candidate.processorConnectionId, candidate] as const]
    ))
  const firstOf = new Map<string, number>()
  return items.flatMap((rule, index) => {
    const first = firstOf.get(rule.sourceDeliveryMethodId) ?? index
    firstOf.set(rule.sourceDeliveryMethodId, first)
    const duplicate = first === index
      ? []
      : [{
        pointer: `/items/${index}/sourceDeliveryMethodId`,
        code: 'duplicate',
        message: `is named by /items/${first}, too`
      }]
    return [
      ...duplicate,
      ...checkCarrier(rule, carriers).map(problem => ({ pointer: `/items/${index}/processorConnectionId`, ...problem }))
    ]
  })
}

function checkCarrier (
  { processorKind, processorConnectionId }: RoutingRule,
  carriers: ReadonlyMap<string, Candidate>
): { code: string, message: string }[] {
  if (processorKind !== 'hub_managed_carrier') {
    return processorConnectionId === undefined
      ? []
      : [{ code: 'unexpected', message: `is not used with ${processorKind}` }]
  }
  if (processorConnectionId === undefined) {
    return [{ code: 'required', message: 'is required with hub_managed_carrier' }]
  }
  const carrier = carriers.get(processorConnectionId.toLowerCase())
  if (carrier === undefined) {
    return [{ code: 'carrier', message: `'${processorConnectionId}' is no connection to a carrier` }]
  }
  return carrier.reason === undefined
    ? []
    : [{
      code: 'inactive',
      message: `names '${carrier.displayName}': ${carrier.reason.charAt(0).toLowerCase()}${carrier.reason.slice(1)}`
    }]
}
