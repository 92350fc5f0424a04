/**
 * A value as the shop sends it: `manufacturer_name` is `false`, a combination's `quantity` is a
 * number, and a localised text maps language ids to texts.
 */
export type Value = string | number | false | Record<number, string>

export interface Row {
  id: number
  fields: Record<string, Value>
  associations: Record<string, Array<Record<string, string>>>
}

export interface CombinationInput {
  id: number
  quantity: number
  optionValues?: number[]
  images?: number[]
  /** Any column of the record. `price` is the impact on the product's price. */
  fields?: Record<string, Value>
}

/** A piece of a pack. `combinationId` 0 is a product without combinations. */
export interface PackPart {
  productId: number
  combinationId?: number
  quantity: number
}

export interface ProductInput {
  id: number
  name: string | Record<number, string>
  /** Default 0. Ignored for a product with combinations, whose row is their sum. */
  quantity?: number
  categories?: number[]
  images?: number[]
  features?: Array<{ id: number, valueId: number }>
  /** Any column of the record. `price` is net. */
  fields?: Record<string, Value>
  combinations?: CombinationInput[]
  /** Makes it a pack. The column `pack_stock_type` says which stock counts, by default 3. */
  pack?: readonly PackPart[]
}

export function toProductRow (product: ProductInput, timestamp: string): Row {
  const { id, name, images = [], categories = [2], combinations = [], features = [], pack } = product
  return {
    id,
    fields: {
      id_category_default: String(categories[0] ?? 0),
      id_default_image: String(images[0] ?? 0),
      id_default_combination: String(combinations[0]?.id ?? 0),
      id_tax_rules_group: '1',
      id_manufacturer: '0',
      manufacturer_name: false,
      quantity: '0',
      type: pack === undefined ? 'simple' : 'pack',
      product_type: productTypeOf(product),
      pack_stock_type: '3',
      reference: '',
      ean13: '',
      upc: '',
      isbn: '',
      price: '0.000000',
      wholesale_price: '0.000000',
      weight: '0.000000',
      active: '1',
      available_for_order: '1',
      visibility: 'both',
      condition: 'new',
      state: '1',
      date_add: timestamp,
      date_upd: timestamp,
      name: typeof name === 'string' ? { 1: name } : name,
      description: {},
      description_short: {},
      link_rewrite: {},
      ...product.fields
    },
    associations: {
      categories: ids(categories),
      images: ids(images),
      combinations: ids(combinations.map(({ id }) => id)),
      product_option_values: ids([...new Set(combinations.flatMap(({ optionValues = [] }) => optionValues))]),
      product_features: features.map(({ id, valueId }) => ({ id: String(id), id_feature_value: String(valueId) })),
      stock_availables: [],
      product_bundle: (pack ?? []).map(({ productId, combinationId = 0, quantity }) => ({
        id: String(productId),
        id_product_attribute: String(combinationId),
        quantity: String(quantity)
      }))
    }
  }
}

function productTypeOf ({ pack, combinations = [] }: ProductInput): string {
  if (pack !== undefined) return 'pack'
  return combinations.length > 0 ? 'combinations' : 'standard'
}

export function toCombinationRow (productId: number, combination: CombinationInput, isDefault: boolean): Row {
  return {
    id: combination.id,
    fields: {
      id_product: String(productId),
      reference: '',
      ean13: '',
      upc: '',
      price: '0.000000',
      unit_price_impact: '0.000000',
      weight: '0.000000',
      minimal_quantity: '1',
      default_on: isDefault ? '1' : '',
      quantity: 0,
      ...combination.fields
    },
    associations: { product_option_values: ids(combination.optionValues ?? []), images: ids(combination.images ?? []) }
  }
}

export function toStockRow (id: number, productId: number, attributeId: number, quantity: number): Row {
  return {
    id,
    fields: {
      id_product: String(productId),
      id_product_attribute: String(attributeId),
      id_shop: '1',
      id_shop_group: '0',
      quantity: String(quantity),
      depends_on_stock: '0',
      out_of_stock: '2',
      location: ''
    },
    associations: {}
  }
}

function ids (values: number[]): Array<Record<string, string>> {
  return values.map(value => ({ id: String(value) }))
}
