import type { SchemaProblem } from '@linker/sdk/host'
import type { Candidate, RoutingRule } from './schemas.ts'

/** Returns the problems of a set of rules that its schema cannot find. */
export function checkRules (items: readonly RoutingRule[], candidates: readonly Candidate[]): SchemaProblem[] {
  const carriers = new Map<string, Candidate>()
  for (const candidate of candidates) {
    if (candidate.processorConnectionId !== undefined) carriers.set(candidate.processorConnectionId, candidate)
  }
  const firstOf = new Map<string, number>()
  return items.flatMap((rule, index) => {
    const first = firstOf.get(rule.sourceDeliveryMethodId) ?? index
    firstOf.set(rule.sourceDeliveryMethodId, first)
    const pointer = `/items/${index}/processorConnectionId`
    const problems = checkCarrier(rule, carriers).map(problem => ({ pointer, ...problem }))
    if (first === index) return problems
    const duplicate = {
      pointer: `/items/${index}/sourceDeliveryMethodId`,
      code: 'duplicate',
      message: `is also named by /items/${first}`
    }
    return [duplicate, ...problems]
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
    return [{ code: 'carrier', message: `'${processorConnectionId}' is not a connection to a carrier` }]
  }
  if (carrier.reason === undefined) return []
  const reason = `${carrier.reason.charAt(0).toLowerCase()}${carrier.reason.slice(1)}`
  return [{ code: 'inactive', message: `names '${carrier.displayName}': ${reason}` }]
}
