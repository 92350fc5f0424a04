import type { Schemas } from '@linker/client'

export type Rule = Schemas['RoutingRules']['items'][number]
type Candidate = Schemas['RoutingCandidate']

export interface RuleFault {
  index: number
  /** Whether the hub would refuse the rules. */
  isGrave: boolean
  message: string
}

const words: Readonly<Record<string, string>> = {
  hub_managed_carrier: 'A carrier of the hub',
  source_brokered: 'The marketplace’s own delivery',
  omp_fulfilled: 'The shop or its operator'
}

const kinds: Readonly<Record<string, string>> = {
  hub_managed_carrier: 'carrier',
  source_brokered: 'marketplace',
  omp_fulfilled: 'shop'
}

/** The kind of somebody who dispatches, in one word. */
export function kindWord (processorKind: string): string {
  return kinds[processorKind] ?? processorKind
}

/** Who dispatches, in words. */
export function processorText (
  { processorKind, processorConnectionId }: Pick<Rule, 'processorKind' | 'processorConnectionId'>,
  candidates: readonly Candidate[]
): string {
  const found = candidates.find(candidate =>
    candidate.processorKind === processorKind && candidate.processorConnectionId === processorConnectionId
  )
  return found?.displayName ?? [words[processorKind] ?? processorKind, processorConnectionId].filter(Boolean).join(' ')
}

/** The value of a choice in a list of candidates, and back. */
export const keyOfProcessor =
  ({ processorKind, processorConnectionId }: Omit<Rule, 'sourceDeliveryMethodId'>): string =>
    `${processorKind} ${processorConnectionId ?? ''}`

export function processorOf (key: string): Omit<Rule, 'sourceDeliveryMethodId'> {
  const [processorKind = '', processorConnectionId = ''] = key.split(' ')
  return {
    processorKind: processorKind as Rule['processorKind'],
    ...(processorConnectionId === '' ? {} : { processorConnectionId })
  }
}

/** Finds in rules what the hub would refuse, and what would make orders wait. */
export function checkRules (
  rules: readonly Rule[],
  candidates: readonly Candidate[],
  methods: readonly { id: string }[] | undefined
): RuleFault[] {
  return rules.flatMap((rule, index): RuleFault[] => {
    const { sourceDeliveryMethodId: method } = rule
    const candidate = candidates.find(one => keyOfProcessor(one) === keyOfProcessor(rule))
    if (method.trim() === '') return [{ index, isGrave: true, message: 'names no delivery method' }]
    if (rules.findIndex(other => other.sourceDeliveryMethodId === method) < index) {
      return [{ index, isGrave: true, message: `is a second rule for delivery method ${method}` }]
    }
    if (candidate === undefined) return [{ index, isGrave: true, message: 'names nobody who may dispatch' }]
    return [
      ...(candidate.reason === undefined
        ? []
        : [{ index, isGrave: false, message: `makes orders wait: ${candidate.displayName} ${candidate.reason}` }]),
      ...(methods === undefined || methods.some(({ id }) => id === method)
        ? []
        : [{ index, isGrave: false, message: 'names a method that the marketplace does not list now' }])
    ]
  })
}
