import { boolean, date, decimal, localised, reference, text } from './fields.ts'
import { orderResources, type OrderResourceName } from './order-resources.ts'
import type { Resource } from './resource.ts'
import { supportingResources, type SupportingName } from './supporting-resources.ts'

export type ResourceName = 'products' | 'combinations' | 'stock_availables' | SupportingName | OrderResourceName

/** The record types that the simulator serves. */
export const resources: Record<ResourceName, Resource> = {
  products: {
    singular: 'product',
    model: 'Product',
    fields: {
      id_category_default: reference('categories'),
      id_default_image: { type: 'integer' },
      id_default_combination: reference('combinations'),
      id_tax_rules_group: reference('tax_rule_groups'),
      id_manufacturer: reference('manufacturers'),
      manufacturer_name: { type: 'text', computed: true, readOnly: true },
      quantity: { type: 'integer', computed: true, readOnly: true },
      type: text,
      product_type: text,
      pack_stock_type: { type: 'integer' },
      reference: { type: 'text', maxLength: 64 },
      ean13: text,
      upc: text,
      isbn: text,
      price: { type: 'decimal', required: true },
      wholesale_price: decimal,
      weight: decimal,
      active: boolean,
      available_for_order: boolean,
      visibility: text,
      condition: text,
      state: { type: 'integer' },
      date_add: date,
      date_upd: date,
      name: { type: 'localised', required: true },
      description: localised,
      description_short: localised,
      link_rewrite: localised
    },
    associations: {
      categories: 'category',
      images: 'image',
      combinations: 'combination',
      product_option_values: 'product_option_value',
      product_features: 'product_feature',
      stock_availables: 'stock_available',
      product_bundle: 'product'
    },
    writableAssociations: ['categories'],
    indexed: [],
    forbiddenMethods: []
  },
  combinations: {
    singular: 'combination',
    model: 'Combination',
    fields: {
      id_product: { type: 'integer', references: 'products', required: true },
      reference: { type: 'text', maxLength: 64 },
      ean13: text,
      upc: text,
      price: decimal,
      unit_price_impact: decimal,
      weight: decimal,
      minimal_quantity: { type: 'integer', required: true },
      default_on: boolean,
      quantity: { type: 'integer', computed: true }
    },
    associations: { product_option_values: 'product_option_value', images: 'image' },
    writableAssociations: ['product_option_values', 'images'],
    indexed: ['id_product'],
    forbiddenMethods: []
  },
  stock_availables: {
    singular: 'stock_available',
    model: 'StockAvailable',
    fields: {
      id_product: { type: 'integer', references: 'products', required: true },
      id_product_attribute: { type: 'integer', references: 'combinations', required: true },
      id_shop: reference('shops'),
      id_shop_group: reference('shop_groups'),
      quantity: { type: 'integer', required: true },
      depends_on_stock: { type: 'boolean', required: true },
      out_of_stock: { type: 'integer', required: true },
      location: text
    },
    associations: {},
    writableAssociations: [],
    indexed: ['id_product'],
    forbiddenMethods: ['POST', 'DELETE']
  },
  ...supportingResources,
  ...orderResources
}

export const resourceNames = Object.keys(resources) as readonly ResourceName[]

export function isResourceName (name: string): name is ResourceName {
  return Object.hasOwn(resources, name)
}
