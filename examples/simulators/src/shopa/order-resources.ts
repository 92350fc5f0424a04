import { boolean, date, decimal, localised, reference, text, type Field } from './fields.ts'
import type { Resource } from './resource.ts'

/** The resources that make up orders. */
export const orderResourceNames = [
  'currencies',
  'languages',
  'groups',
  'carriers',
  'customers',
  'addresses',
  'carts',
  'specific_prices',
  'orders',
  'order_details',
  'order_states',
  'order_histories',
  'order_carriers',
  'order_payments',
  'messages',
  'configurations'
] as const
export type OrderResourceName = typeof orderResourceNames[number]

// The shop makes `order_rows` itself and ignores those in a write.
const writable = ['groups', 'cart_rows']
const integer: Field = { type: 'integer' }
const personName: Field = {
  type: 'text',
  required: true,
  maxLength: 255,
  pattern: /^[^0-9!<>,;?=+()@#"°{}_$%:¤|]+$/u
}
// Stricter than in an address: a dot only at the end or before exactly one blank.
const customerName: Field = {
  ...personName,
  pattern: /^(?=.*\S)(?:[^0-9!<>,;?=+()/\\@#"°*`{}_^$%:¤[\]|.。]|[.。](?: (?! )|$))+$/u
}
const words = (maxLength: number): Field => ({ type: 'text', maxLength, pattern: /^[^!<>?=+@{}_$%]*$/ })
const phone: Field = { type: 'text', pattern: /^[\d+.() -]*$/ }

export const orderResources: Record<OrderResourceName, Resource> = {
  currencies: resource('currency', 'Currency', {
    iso_code: text,
    numeric_iso_code: text,
    conversion_rate: decimal,
    active: boolean,
    deleted: boolean,
    precision: integer,
    name: localised
  }),
  languages: resource('language', 'Language', {
    name: text,
    iso_code: text,
    locale: text,
    language_code: text,
    active: boolean,
    is_rtl: boolean
  }),
  groups: resource('group', 'Group', { reduction: decimal, price_display_method: integer, name: localised }),
  carriers: resource('carrier', 'Carrier', {
    deleted: boolean,
    is_module: boolean,
    id_tax_rules_group: reference('tax_rule_groups'),
    id_reference: integer,
    name: { type: 'text', required: true },
    active: boolean,
    is_free: boolean,
    url: text,
    shipping_handling: boolean,
    external_module_name: text,
    need_range: boolean,
    shipping_external: boolean,
    range_behavior: integer,
    shipping_method: integer,
    position: integer,
    delay: localised
  }, { indexed: ['id_reference'] }),
  customers: resource('customer', 'Customer', {
    id_default_group: reference('groups'),
    id_lang: reference('languages'),
    id_shop: reference('shops'),
    firstname: customerName,
    lastname: customerName,
    email: { type: 'text', required: true, pattern: /^[^\s@]+@[^\s@]+$/ },
    passwd: { type: 'text', required: true, maxLength: 72, pattern: /^.{8,}$/ },
    is_guest: boolean,
    active: boolean,
    company: text,
    siret: text,
    newsletter: boolean,
    secure_key: text,
    note: text,
    date_add: date,
    date_upd: date,
    deleted: boolean
  }, { indexed: ['email'], associations: { groups: 'group' } }),
  addresses: resource('address', 'Address', {
    id_customer: reference('customers'),
    id_country: { type: 'integer', references: 'countries', required: true },
    id_state: reference('states'),
    alias: { type: 'text', required: true, maxLength: 32 },
    company: { type: 'text', maxLength: 255 },
    lastname: personName,
    firstname: personName,
    vat_number: text,
    address1: { ...words(128), required: true },
    address2: words(128),
    postcode: { type: 'text', maxLength: 12, pattern: /^[a-zA-Z 0-9-]*$/ },
    city: { type: 'text', required: true, maxLength: 64, pattern: /^[^!<>;?=+@#"°{}_$%]*$/ },
    other: text,
    phone,
    phone_mobile: phone,
    dni: text,
    deleted: boolean
  }, { indexed: ['id_customer'] }),
  carts: resource('cart', 'Cart', {
    id_address_delivery: reference('addresses'),
    id_address_invoice: reference('addresses'),
    id_currency: { type: 'integer', references: 'currencies', required: true },
    id_customer: reference('customers'),
    id_guest: integer,
    id_lang: { type: 'integer', references: 'languages', required: true },
    id_shop: reference('shops'),
    id_carrier: reference('carriers'),
    recyclable: boolean,
    gift: boolean,
    delivery_option: text,
    secure_key: text
  }, { associations: { cart_rows: 'cart_row' } }),
  specific_prices: resource('specific_price', 'SpecificPrice', {
    id_shop_group: integer,
    id_shop: { type: 'integer', required: true },
    id_cart: { type: 'integer', references: 'carts', required: true },
    id_product: { type: 'integer', references: 'products', required: true },
    id_product_attribute: reference('combinations'),
    id_currency: { type: 'integer', required: true },
    id_country: { type: 'integer', required: true },
    id_group: { type: 'integer', required: true },
    id_customer: { type: 'integer', required: true },
    id_specific_price_rule: integer,
    price: { type: 'decimal', required: true },
    from_quantity: { type: 'integer', required: true },
    reduction: { type: 'decimal', required: true },
    reduction_tax: boolean,
    reduction_type: { type: 'text', required: true },
    from: { type: 'text', required: true },
    to: { type: 'text', required: true }
  }, { indexed: ['id_cart'] }),
  orders: resource('order', 'Order', {
    id_address_delivery: required('addresses'),
    id_address_invoice: required('addresses'),
    id_cart: required('carts'),
    id_currency: required('currencies'),
    id_lang: required('languages'),
    id_customer: required('customers'),
    id_carrier: required('carriers'),
    current_state: reference('order_states'),
    module: { type: 'text', required: true },
    invoice_date: date,
    valid: boolean,
    date_add: date,
    date_upd: date,
    shipping_number: text,
    id_shop: reference('shops'),
    secure_key: text,
    payment: { type: 'text', required: true },
    total_discounts: decimal,
    total_paid: { type: 'decimal', required: true },
    total_paid_tax_incl: decimal,
    total_paid_tax_excl: decimal,
    total_paid_real: { type: 'decimal', required: true },
    total_products: { type: 'decimal', required: true },
    total_products_wt: { type: 'decimal', required: true },
    total_shipping: decimal,
    total_shipping_tax_incl: decimal,
    total_shipping_tax_excl: decimal,
    carrier_tax_rate: decimal,
    conversion_rate: { type: 'decimal', required: true },
    reference: text,
    note: text
  }, { indexed: ['id_cart', 'id_customer', 'reference'], associations: { order_rows: 'order_row' } }),
  order_details: resource('order_detail', 'OrderDetail', {
    id_order: required('orders'),
    product_id: reference('products'),
    product_attribute_id: reference('combinations'),
    product_quantity: integer,
    product_name: text,
    product_price: decimal,
    unit_price_tax_incl: decimal,
    unit_price_tax_excl: decimal,
    total_price_tax_incl: decimal,
    total_price_tax_excl: decimal,
    product_ean13: text,
    product_reference: text,
    tax_rate: decimal
  }, { indexed: ['id_order'] }),
  order_states: resource('order_state', 'OrderState', {
    name: localised,
    logable: boolean,
    shipped: boolean,
    paid: boolean,
    delivery: boolean,
    invoice: boolean,
    send_email: boolean,
    hidden: boolean,
    deleted: boolean,
    unremovable: boolean,
    color: text,
    module_name: text,
    template: localised
  }),
  order_histories: resource('order_history', 'OrderHistory', {
    id_employee: reference('employees'),
    id_order_state: required('order_states'),
    id_order: required('orders'),
    date_add: date
  }, { indexed: ['id_order'] }),
  order_carriers: resource('order_carrier', 'OrderCarrier', {
    id_order: required('orders'),
    id_carrier: required('carriers'),
    id_order_invoice: integer,
    weight: decimal,
    shipping_cost_tax_excl: decimal,
    shipping_cost_tax_incl: decimal,
    tracking_number: { type: 'text', maxLength: 64 },
    date_add: date
  }, { indexed: ['id_order'] }),
  order_payments: resource('order_payment', 'OrderPayment', {
    order_reference: text,
    id_currency: required('currencies'),
    amount: { type: 'decimal', required: true },
    payment_method: text,
    conversion_rate: decimal,
    transaction_id: text,
    date_add: date
  }, { indexed: ['order_reference'] }),
  messages: resource('message', 'Message', {
    id_cart: reference('carts'),
    id_order: reference('orders'),
    id_customer: reference('customers'),
    id_employee: reference('employees'),
    message: { type: 'text', required: true, maxLength: 1600, pattern: /^(?!.*<\s*(?:script|i?frame|form|input)\b)/is },
    private: boolean,
    date_add: date
  }, { indexed: ['id_cart', 'id_order'] }),
  configurations: resource('configuration', 'Configuration', {
    value: text,
    name: { type: 'text', required: true },
    id_shop_group: integer,
    id_shop: integer,
    date_add: date,
    date_upd: date
  }, { indexed: ['name'] })
}

function resource (
  singular: string,
  model: string,
  fields: Resource['fields'],
  { indexed = [], associations = {} }: { indexed?: readonly string[], associations?: Resource['associations'] } = {}
): Resource {
  return {
    singular,
    model,
    fields,
    associations,
    writableAssociations: Object.keys(associations).filter(name => writable.includes(name)),
    indexed,
    forbiddenMethods: []
  }
}

function required (references: string): Field {
  return { type: 'integer', references, required: true }
}
