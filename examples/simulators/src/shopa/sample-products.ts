import type { ProductInput } from './product-rows.ts'

/** A mug in two colours (product 27, combinations 101 and 102) and a plain plate (product 28). */
export const sampleProducts: ProductInput[] = [
  {
    id: 27,
    name: 'Mug',
    categories: [2, 5],
    images: [41, 42],
    fields: {
      reference: 'SKU-27',
      price: '81.300813',
      weight: '0.400000',
      description: { 1: '<p>Blue mug</p>' },
      link_rewrite: { 1: 'mug' }
    },
    combinations: [
      { id: 101, quantity: 8, optionValues: [9], images: [42], fields: { reference: 'SKU-27-R', price: '4.065041' } },
      { id: 102, quantity: 5, optionValues: [10], fields: { reference: 'SKU-27-B' } }
    ]
  },
  {
    id: 28,
    name: 'Plate',
    quantity: 20,
    images: [43],
    fields: { reference: 'SKU-28', ean13: '5901234123457', price: '40.650407', link_rewrite: { 1: 'plate' } }
  }
]

const colours = 6
const sizes = 8

/** A shirt in six colours and eight sizes: product 40 with the 48 combinations 401 to 448. */
export const manyCombinations: ProductInput = {
  id: 40,
  name: 'Shirt',
  images: [51, 52, 53, 54, 55, 56],
  fields: { reference: 'SKU-40', price: '49.000000', link_rewrite: { 1: 'shirt' } },
  combinations: Array.from({ length: colours * sizes }, (_, index) => {
    const [colour, size] = [Math.floor(index / sizes), index % sizes]
    return {
      id: 401 + index,
      quantity: index,
      optionValues: [20 + colour, 30 + size],
      images: [51 + colour],
      fields: { reference: `SKU-40-${colour}-${size}` }
    }
  })
}
