import type { CombinationInput, ProductInput } from './product-rows.ts'

export interface CatalogSize {
  products: number
  /** 0 makes simple products. */
  combinationsEach: number
  /** Id of the first product. Default 1001, which is after the sample products. */
  firstId?: number
  /** Id of the first combination. Default 100001. */
  firstCombinationId?: number
}

/**
 * Generates a catalog of any size, the same for the same arguments. Every variant has its own SKU,
 * a valid EAN and a quantity from 0 to 49.
 */
export function generateCatalog (size: CatalogSize): ProductInput[] {
  const { products, combinationsEach, firstId = 1001, firstCombinationId = 100_001 } = size
  return Array.from({ length: products }, (_, index) => {
    const id = firstId + index
    const product = {
      id,
      name: `Product ${id}`,
      images: [id],
      fields: { reference: `P-${id}`, price: `${10 + index % 90}.000000` }
    }
    if (combinationsEach === 0) {
      return { ...product, quantity: quantityOf(id), fields: { ...product.fields, ean13: toEan(`20${pad(id)}`) } }
    }
    const first = firstCombinationId + index * combinationsEach
    const combinations = Array.from(
      { length: combinationsEach },
      (_, place) => generateCombination(first + place, place)
    )
    return { ...product, combinations }
  })
}

function generateCombination (id: number, place: number): CombinationInput {
  return {
    id,
    quantity: quantityOf(id),
    optionValues: [place + 1],
    fields: { reference: `C-${id}`, ean13: toEan(`21${pad(id)}`) }
  }
}

function quantityOf (id: number): number {
  return (id * 7) % 50
}

function pad (id: number): string {
  return String(id).padStart(10, '0')
}

/** Appends the check digit to twelve digits. A shop may use EANs that begin with 2 as its own. */
function toEan (digits: string): string {
  const sum = [...digits].reduce((sum, digit, place) => sum + Number(digit) * (place % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - sum % 10) % 10}`
}
