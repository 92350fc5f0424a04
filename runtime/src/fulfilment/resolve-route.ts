import type { Carrier } from './carriers.ts'
import type { ProcessorKind } from './schemas.ts'
import type { RuleRow } from './store.ts'

/** The dispatcher of an order. */
export interface Route {
  processorKind: ProcessorKind
  processorConnectionId?: string
  /** Explains the decision to people. */
  explanation: string
  /** Why the label has to wait. */
  problem?: string
  /** The connection that makes the label for the hub; null when somebody else makes it. */
  carrierId: string | null
}

export interface RouteRequest {
  /** The connection of the marketplace. */
  connectionId: string
  deliveryMethodId: string
}

/**
 * Decides by the rules of a marketplace's connection. When the carrier is unavailable, its orders
 * wait for it.
 */
export function resolveRoute (
  rules: readonly RuleRow[],
  carriers: readonly Carrier[],
  { connectionId, deliveryMethodId }: RouteRequest
): Route {
  const rule = rules.find(({ sourceDeliveryMethodId }) => sourceDeliveryMethodId === deliveryMethodId)
  if (rule === undefined) {
    return {
      processorKind: 'omp_fulfilled',
      explanation: `No rule names delivery method '${deliveryMethodId}': the shop or its operator dispatches the order`,
      carrierId: null
    }
  }
  if (rule.processorKind === 'source_brokered') return brokered(carriers, connectionId, deliveryMethodId)
  const processorConnectionId = rule.processorConnectionId ?? ''
  const carrier = carriers.find(({ id }) => id === processorConnectionId)
  const route = { processorKind: rule.processorKind, processorConnectionId, carrierId: processorConnectionId }
  const said = `The rule for delivery method '${deliveryMethodId}' names carrier`
  if (carrier === undefined) {
    return {
      ...route,
      explanation: `${said} '${processorConnectionId}', which is not a carrier any more`,
      problem: `connection '${processorConnectionId}' is not a carrier any more: the hub makes no label`
    }
  }
  if (carrier.problem === null) return { ...route, explanation: `${said} '${carrier.name}'` }
  return {
    ...route,
    explanation: `${said} '${carrier.name}', which ${carrier.problem}`,
    problem: `carrier '${carrier.name}' ${carrier.problem}: the label waits for it`
  }
}

function brokered (carriers: readonly Carrier[], connectionId: string, deliveryMethodId: string): Route {
  const said = `The rule for delivery method '${deliveryMethodId}' leaves the label to the marketplace`
  const carrier = carriers.find(({ id }) => id === connectionId)
  if (carrier === undefined) {
    return {
      processorKind: 'source_brokered',
      explanation: `${said}. Its adapter makes no labels; the operator gets the label there`,
      carrierId: null
    }
  }
  const route = { processorKind: 'source_brokered' as const, carrierId: connectionId }
  if (carrier.problem === null) return { ...route, explanation: said }
  return {
    ...route,
    explanation: `${said}, whose connection ${carrier.problem}`,
    problem: `the marketplace's connection ${carrier.problem}: the label waits for it`
  }
}
