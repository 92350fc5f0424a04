import type { SupportingInput } from './state.ts'
import type { SupportingName } from './supporting-resources.ts'

/** The records of each kind that products refer to. */
export type Supporting = Partial<Record<SupportingName, readonly SupportingInput[]>>

/**
 * The records that the sample products refer to: categories, the colours of the mug, and a tax rule
 * of 23 % for group 1 with its country.
 */
export const sampleSupporting: Supporting = {
  categories: [
    {
      id: 1,
      fields: { id_parent: '0', level_depth: '0', active: '1', name: { 1: 'Root' } },
      associations: { categories: [{ id: '2' }] }
    },
    {
      id: 2,
      fields: { id_parent: '1', level_depth: '1', active: '1', is_root_category: '1', name: { 1: 'Home' } },
      associations: { categories: [{ id: '5' }] }
    },
    { id: 5, fields: { id_parent: '2', level_depth: '2', active: '1', name: { 1: 'Kitchen' } } }
  ],
  manufacturers: [{ id: 1, fields: { active: '1', name: 'ACME' } }],
  product_options: [{ id: 1, fields: { group_type: 'color', name: { 1: 'Colour' }, public_name: { 1: 'Colour' } } }],
  product_option_values: [
    { id: 9, fields: { id_attribute_group: '1', color: '#ff0000', position: '0', name: { 1: 'Red' } } },
    { id: 10, fields: { id_attribute_group: '1', color: '#0000ff', position: '1', name: { 1: 'Blue' } } }
  ],
  product_features: [{ id: 1, fields: { name: { 1: 'Material' } } }],
  product_feature_values: [{ id: 4, fields: { id_feature: '1', custom: '0', value: { 1: 'Ceramic' } } }],
  countries: [
    country(1, 'DE', 'Germany', { active: '1', call_prefix: '49', zip_code_format: 'NNNNN' }),
    country(14, 'PL', 'Poland', { active: '0', call_prefix: '48', zip_code_format: 'NN-NNN' })
  ],
  taxes: [{ id: 1, fields: { rate: '23.000', active: '1', name: { 1: 'VAT 23%' } } }],
  tax_rule_groups: [{ id: 1, fields: { name: 'Standard', active: '1' } }],
  tax_rules: [{
    id: 1,
    fields: { id_tax_rules_group: '1', id_country: '14', zipcode_from: '0', zipcode_to: '0', id_tax: '1' }
  }]
}

function country (id: number, isoCode: string, name: string, fields: SupportingInput['fields']): SupportingInput {
  return {
    id,
    fields: {
      id_zone: '1',
      iso_code: isoCode,
      need_zip_code: '1',
      display_tax_label: '1',
      name: { 1: name },
      ...fields
    }
  }
}
