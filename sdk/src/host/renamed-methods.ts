/** A method that had another name before. */
interface RenamedMethod {
  former: string
  present: string
  /** Makes the arguments of the former method from those of the present one. */
  argumentsOf(...args: unknown[]): unknown[]
}

interface Quantity {
  externalId: string
  quantity: number
}

function quantityOf (change: unknown): Quantity {
  const { externalId, quantity } = change as Quantity
  return { externalId, quantity }
}

/**
 * Adapters of contract 0.1 may have the former names. The hub serves them, and warns of each.
 * Remove a name when no hub serves a contract that had it (UPGRADING.md).
 */
const renamed: ReadonlyMap<string, readonly RenamedMethod[]> = new Map([
  ['OfferManager', [
    {
      former: 'updateStock',
      present: 'updateOfferQuantity',
      argumentsOf (change: unknown) {
        const { externalId, quantity } = quantityOf(change)
        return [externalId, quantity]
      }
    },
    {
      former: 'updateStockMany',
      present: 'updateOfferQuantities',
      argumentsOf: (changes: unknown) => [(changes as unknown[]).map(quantityOf)]
    }
  ]]
])

function has (implementation: object, method: string): boolean {
  return typeof Reflect.get(implementation, method) === 'function'
}

/** Lists the methods of a capability that have their former name. */
export function formerMethods (capability: string, implementation: object): RenamedMethod[] {
  return (renamed.get(capability) ?? []).filter(({ former }) => has(implementation, former))
}

/** Says which method a capability has under both names; undefined when there is none. */
export function doubledMethod (capability: string, implementation: object): string | undefined {
  const doubled = formerMethods(capability, implementation).find(({ present }) => has(implementation, present))
  return doubled === undefined
    ? undefined
    : `${capability} has ${doubled.former} and ${doubled.present}, which are two names of one method: remove ` +
      doubled.former
}

/**
 * Returns a capability with the present names of its methods. A method with its former name is
 * there under both, so that tests of the adapter may go on using it.
 */
export function withPresentNames (capability: string, implementation: object): object {
  const former = formerMethods(capability, implementation)
  if (former.length === 0) return implementation
  const methods = former.map(({ former: name, present, argumentsOf }) => {
    const method = Reflect.get(implementation, name) as (...args: unknown[]) => unknown
    return [present, (...args: unknown[]) => method(...argumentsOf(...args))] as const
  })
  return { ...implementation, ...Object.fromEntries(methods) }
}
