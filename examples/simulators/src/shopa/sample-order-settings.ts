import type { OrderResourceName } from './order-resources.ts'
import type { SupportingInput } from './state.ts'

const states: Array<[id: number, name: string, flags: string]> = [
  [1, 'Awaiting check payment', '0000'],
  [2, 'Payment accepted', '1100'],
  [3, 'Processing in progress', '1101'],
  [4, 'Shipped', '1111'],
  [5, 'Delivered', '1111'],
  [6, 'Canceled', '0000'],
  [7, 'Refunded', '0000'],
  [8, 'Payment error', '0000'],
  [9, 'On backorder (paid)', '0100'],
  [10, 'Awaiting bank wire payment', '0000'],
  [11, 'Remote payment accepted', '1100'],
  [12, 'On backorder (not paid)', '0000'],
  [13, 'Awaiting cash on delivery validation', '0000']
]

/**
 * The settings of every installation: currency, language, customer groups, order states and three
 * carriers, of which the last is the module's.
 */
export const sampleOrderSettings: Partial<Record<OrderResourceName, readonly SupportingInput[]>> = {
  currencies: [
    {
      id: 1,
      fields: {
        iso_code: 'PLN',
        numeric_iso_code: '985',
        conversion_rate: '1.000000',
        active: '1',
        precision: '2',
        name: { 1: 'Zloty' }
      }
    },
    {
      id: 2,
      fields: {
        iso_code: 'EUR',
        numeric_iso_code: '978',
        conversion_rate: '0.230000',
        active: '0',
        precision: '2',
        name: { 1: 'Euro' }
      }
    }
  ],
  languages: [{
    id: 1,
    fields: { name: 'English', iso_code: 'en', locale: 'en-US', language_code: 'en-us', active: '1' }
  }],
  groups: [1, 2, 3].map(id => ({ id, fields: { name: { 1: ['Visitor', 'Guest', 'Customer'][id - 1] ?? '' } } })),
  order_states: states.map(([id, name, [logable = '0', paid = '0', shipped = '0', delivery = '0']]) => ({
    id,
    fields: { name: { 1: name }, logable, paid, shipped, delivery, unremovable: '1' }
  })),
  carriers: [
    {
      id: 1,
      fields: { id_reference: '1', name: 'Pick up in store', active: '1', is_free: '1', id_tax_rules_group: '0' }
    },
    { id: 2, fields: { id_reference: '2', name: 'My carrier', active: '1', id_tax_rules_group: '1' } },
    {
      id: 3,
      fields: {
        id_reference: '3',
        name: 'Marketplace delivery',
        active: '1',
        is_module: '1',
        external_module_name: 'linker',
        shipping_external: '1',
        id_tax_rules_group: '0'
      }
    }
  ]
}

/**
 * Net prices of the carriers above, by `id_reference`. The module's carrier has none, because the
 * hub sets its price for each cart.
 */
export const sampleCarrierPrices: ReadonlyMap<string, string> = new Map([['2', '16.250000']])
