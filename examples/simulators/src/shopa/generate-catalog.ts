import type { CombinationInput, ProductInput } from './product-rows.ts'

export interface CatalogSize {
  products: number
  /** 0 makes simple products. */
  combinationsEach: number
  /** Id of the first product. Default 1001: behind the sample products. */
  firstId?: number
  /** Id of the first combination. Default 100001. */
  firstCombinationId?: number
}

/**
 * A catalog of any size, the same for the same arguments: every variant has its own SKU and a valid
 * EAN, and quantities from 0 to 49.
 */
export function generateCatalog ({ products, combinationsEach, firstId = 1001, firstCombinationId = 100_001 }:
  CatalogSize): ProductInput[]
{
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
    return {
      ...product,
      combinations: Array.from(
        { length: combinationsEach },
        (_, place) => generateCombination(firstCombinationId + index * combinationsEach + place, place)
      )
    }
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

/** Twelve digits and their check digit. Numbers that begin with 2 are free for a shop's own use. */
function toEan (digits: string): string {
  const sum = [...digits].reduce((sum, digit, place) => sum + Number(digit) * (place % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - sum % 10) % 10}`
}
