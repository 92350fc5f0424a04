/** Request bodies as JSON Schema. They refuse unknown members at every level, as mktB does. */

export const text = (maxLength: number, minLength = 0) => ({ type: 'string', minLength, maxLength })
const optionalText = (maxLength: number) => ({ type: 'string', maxLength, nullable: true })
export const integer = (minimum: number, maximum: number) => ({ type: 'integer', minimum, maximum })
const optionalEnum = (...values: string[]) => ({ enum: [...values, null] })
export const list = (items: object, minItems = 0, maxItems?: number) => ({
  type: 'array',
  items,
  minItems,
  ...maxItems === undefined ? {} : { maxItems }
})

export function object (properties: Record<string, object>, required: string[] = []) {
  return { type: 'object', additionalProperties: false, properties, required }
}

const money = integer(0, 2_147_483_647)

const description = {
  anyOf: [
    text(80_000),
    object({
      sections: list(object({
        items: list(
          {
            anyOf: [
              object({ type: { const: 'TEXT' }, content: text(80_000, 2) }, ['type', 'content']),
              object({ type: { const: 'IMAGE' }, url: text(2000) }, ['type', 'url'])
            ]
          },
          1,
          2
        )
      }, ['items']))
    }, ['sections']),
    { type: 'null' }
  ]
}

const dispatchTime = {
  anyOf: [
    object({ unit: { const: 'day' }, period: { type: 'integer', minimum: 0 } }, ['period']),
    object({ unit: { const: 'hour' }, period: integer(0, 24) }, ['unit', 'period']),
    object({ unit: { const: 'month' }, period: integer(0, 12) }, ['unit', 'period'])
  ]
}

function attribute (type: string, values: object) {
  return object({
    id: text(2000),
    name: text(2000),
    source: { enum: ['shop', 'mkta', 'marketplace'] },
    type: { const: type },
    values,
    index: { type: 'integer', not: { enum: [-999, -998] } },
    unit: text(20)
  }, ['id', 'type', 'values'])
}

const externalAttributes = list({
  anyOf: [
    attribute('number', list({ type: 'number' }, 1, 200)),
    attribute('range', object({ from: { type: 'number' }, to: { type: 'number' } }, ['from', 'to'])),
    attribute('dictionary', list(object({ id: text(2000), name: text(2000) }, ['id']), 1, 200)),
    attribute('string', list(text(2000), 1, 200))
  ]
})

const members = {
  name: text(150, 3),
  description,
  ean: optionalText(2000),
  sku: optionalText(200),
  images: list(
    object({ url: text(2000), isVariantImage: { type: 'boolean' }, isLifestyleImage: { type: 'boolean' } }, ['url']),
    0,
    200
  ),
  price: money,
  mobilePrice: { ...money, nullable: true },
  cataloguePrice: { ...money, nullable: true },
  stock: integer(-2_000_000_000, 2_000_000_000),
  status: optionalEnum('active', 'inactive'),
  archived: { type: 'boolean', nullable: true },
  dispatchTime,
  deliveryPriceList: optionalText(1000),
  weight: { ...integer(0, 1_000_000), nullable: true },
  taxRate: optionalEnum('TAX_0', 'TAX_5', 'TAX_8', 'TAX_23', 'TAX_NP', 'TAX_ZW', 'TAX_7', 'TAX_19'),
  invoiceType: optionalEnum('vatInvoice', 'vatInvoiceWithMarginScheme', 'invoiceWithoutVat', 'withoutInvoice'),
  basketLimit: { ...integer(1, 100), nullable: true },
  baseMarket: optionalEnum('pl', 'de'),
  externalReferences:
    list(object({ id: text(2000), kind: text(200), url: text(2000), source: text(2000) }, ['id', 'kind'])),
  externalAttributes,
  externalCategories: list(object({
    source: text(200),
    breadcrumb: list(object({ id: text(2000), name: text(2000) }, ['id']), 1),
    index: { type: 'integer' }
  }, ['source', 'breadcrumb'])),
  externalVariantGroup: object({
    id: text(2000),
    source: { enum: ['integration', 'marketplace'] },
    attributes: list({ anyOf: [{ type: 'integer' }, { const: 'thumbnail' }] }, 1)
  }, ['id', 'source', 'attributes']),
  externalResponsibleProducer: list(object({ externalId: text(2000), source: text(2000) }, ['externalId', 'source'])),
  externalResponsiblePerson: list(object({ externalId: text(2000), source: text(2000) }, ['externalId', 'source'])),
  frozen: { type: 'object', additionalProperties: { type: 'boolean' } },
  packaging: object({ tags: list(text(2000)), weight: integer(0, 1_000_000) }),
  obligatoryIdentifier: optionalText(2000),
  voluntaryIdentifier: optionalText(2000),
  returnIdentifier: optionalText(2000)
}

const externalId = text(1023, 1)
const updateMembers = {
  ...members,
  overrideFrozen: { anyOf: [{ const: true }, list(text(200))] },
  newExternalId: externalId
}

export const externalIdParameter = object({ externalId }, ['externalId'])
export const createBody = object(members, ['name', 'images', 'price', 'stock', 'dispatchTime'])
export const updateBody = object(updateMembers)
export const batchBody = list(object({ ...updateMembers, externalId }, ['externalId']), 1)
export const searchBody = object({
  pagination: object({
    sortField: { enum: ['externalId', 'marketplaceId', 'name', 'ean', 'sku', 'created', 'updated', 'archivedAt'] },
    after: {},
    order: { enum: ['ASC', 'DESC'] },
    limit: integer(1, 200)
  }),
  filter: object({
    field: text(200),
    operator: { enum: ['=', '!=', '>', '>=', '<', '<=', 'in', 'nin', 'and', 'or', 'not'] },
    value: {}
  }, ['operator', 'value']),
  fields: list(text(200))
})

export const hookParameter = (names: readonly string[]) => object({ hookName: { enum: names } }, ['hookName'])
export const hookBody = (names: readonly string[]) =>
  object({ hookName: { enum: names }, url: text(2000, 1), accessToken: text(400) }, ['hookName', 'url'])
