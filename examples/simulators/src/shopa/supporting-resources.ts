import { boolean, decimal, localised, reference, text } from './fields.ts'
import type { Resource } from './resource.ts'

/** The resources that products refer to. */
export const supportingNames = [
  'categories',
  'manufacturers',
  'product_options',
  'product_option_values',
  'product_features',
  'product_feature_values',
  'countries',
  'tax_rules',
  'tax_rule_groups',
  'taxes'
] as const
export type SupportingName = typeof supportingNames[number]

export const supportingResources: Record<SupportingName, Resource> = {
  categories: supporting('category', 'Category', {
    id_parent: reference('categories'),
    level_depth: { type: 'integer', readOnly: true },
    active: boolean,
    is_root_category: boolean,
    name: localised
  }, { categories: 'category', products: 'product' }),
  manufacturers: supporting('manufacturer', 'Manufacturer', { active: boolean, name: text }),
  product_options: supporting('product_option', 'AttributeGroup', {
    group_type: text,
    name: localised,
    public_name: localised
  }),
  product_option_values: supporting('product_option_value', 'Attribute', {
    id_attribute_group: reference('product_options'),
    color: text,
    position: { type: 'integer' },
    name: localised
  }),
  product_features: supporting('product_feature', 'Feature', { name: localised }),
  product_feature_values: supporting('product_feature_value', 'FeatureValue', {
    id_feature: reference('product_features'),
    custom: boolean,
    value: localised
  }),
  countries: supporting('country', 'Country', {
    id_zone: reference('zones'),
    id_currency: reference('currencies'),
    call_prefix: { type: 'integer' },
    iso_code: text,
    active: boolean,
    contains_states: boolean,
    need_identification_number: boolean,
    need_zip_code: boolean,
    zip_code_format: text,
    display_tax_label: boolean,
    name: localised
  }),
  tax_rules: supporting('tax_rule', 'TaxRule', {
    id_tax_rules_group: reference('tax_rule_groups'),
    id_state: reference('states'),
    id_country: reference('countries'),
    zipcode_from: text,
    zipcode_to: text,
    id_tax: reference('taxes'),
    behavior: { type: 'integer' }
  }),
  tax_rule_groups: supporting('tax_rule_group', 'TaxRulesGroup', { name: text, active: boolean, deleted: boolean }),
  taxes: supporting('tax', 'Tax', { rate: decimal, active: boolean, deleted: boolean, name: localised })
}

function supporting (
  singular: string,
  model: string,
  fields: Resource['fields'],
  associations: Resource['associations'] = {}
): Resource {
  return { singular, model, fields, associations, writableAssociations: [], indexed: [], forbiddenMethods: [] }
}
