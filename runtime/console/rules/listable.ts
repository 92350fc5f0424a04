interface RowLike {
  variantId: string
  name: string | null
  sku: string | null
  missingSince: string | null
  offers: readonly { connectionId: string }[]
}

/** The variants that a marketplace does not show yet and the shop still has. */
export function listableOf<Row extends RowLike> (rows: readonly Row[], connectionId: string): Row[] {
  return rows.filter(({ offers, missingSince }) =>
    missingSince === null && !offers.some(offer => offer.connectionId === connectionId)
  )
}

/** One request may list so many variants. */
export const mostAtOnce = 100

/** The name of a variant for people. */
export function nameOfRow ({ name, sku, variantId }: Pick<RowLike, 'name' | 'sku' | 'variantId'>): string {
  return name ?? sku ?? variantId
}

interface Fault {
  pointer: string
  message: string
}

/**
 * Puts names of variants in the place of their positions: `/items/3/price` becomes `Mug: price`.
 */
export function nameItems<Found extends Fault> (faults: readonly Found[], names: readonly string[]): Found[] {
  return faults.map(fault => {
    const [, position, rest = ''] = /^\/items\/(\d+)(?:\/(.*))?$/.exec(fault.pointer) ?? []
    const name = position === undefined ? undefined : names[Number(position)]
    return name === undefined ? fault : { ...fault, pointer: rest === '' ? name : `${name}: ${rest}` }
  })
}
