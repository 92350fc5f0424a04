import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import type { Config } from '../../src/config.ts'
import { createProductMaster } from '../../src/products/product-master.ts'
import { createShop, expectAll, expectGet } from '../shop.ts'

const { connect, logs } = createShop(t)

function productMaster (config?: Partial<Config>) {
  const { client, context } = connect(config)
  return createProductMaster(client, context)
}

const mug = {
  id: 27,
  active: '1',
  available_for_order: '1',
  state: '1',
  reference: 'SKU-27',
  ean13: '5901234123457',
  upc: '',
  id_default_image: '41',
  name: 'Mug',
  description: '<p>Blue mug</p>',
  date_upd: '2025-01-02 11:30:00',
  price: '81.300813',
  quantity: '0',
  associations: { images: [{ id: '7' }, { id: '41' }] }
}
const combination = (id: number, more = {}) => ({
  id,
  id_product: '27',
  reference: `SKU-27-${id}`,
  ean13: '',
  upc: '',
  price: '4.065041',
  ...more
})

const asked = {
  'price[selling][use_tax]': '1',
  'price[selling][country]': '14',
  'price[selling][decimals]': '2'
}

function expectProduct (row: object, combinations: object[] = [], more = {}) {
  expectGet('products', { 'filter[id]': '[27]', display: 'full', ...more }).reply(200, { products: [row] })
  const answer = combinations.length === 0 ? [] : { combinations }
  expectAll('combinations', { 'filter[id_product]': '[27]', display: 'full', ...more }).reply(200, answer)
}

function expectCountry () {
  expectGet('countries', { 'filter[iso_code]': '[PL]', display: '[id,iso_code]' }).reply(200, {
    countries: [{ id: 14, iso_code: 'PL' }]
  })
}

t.test('a product without combinations has one variant', async t => {
  expectProduct(mug)

  t.same(await productMaster({ timeZone: 'Europe/Warsaw' }).getProduct('27'), {
    externalId: '27',
    name: 'Mug',
    description: '<p>Blue mug</p>',
    isActive: true,
    variants: [{ externalId: 'product:27', sku: 'SKU-27', ean: '5901234123457' }],
    imageUrls: ['https://shop.test/img/p/4/1/41-large_default.jpg', 'https://shop.test/img/p/7/7-large_default.jpg'],
    updatedAt: '2025-01-02T10:30:00.000Z'
  })
})

t.test('combinations are the variants, keyed by their own ids', async t => {
  expectProduct(mug, [
    combination(101, { associations: { images: [{ id: '42' }] } }),
    combination(102, { reference: '', upc: '012345678905' })
  ])

  t.same((await productMaster().getProduct('27')).variants, [
    { externalId: '101', sku: 'SKU-27-101', imageUrls: ['https://shop.test/img/p/4/2/42-large_default.jpg'] },
    { externalId: '102', ean: '0012345678905' }
  ])
})

t.test('a combination inherits the barcode of the product only when it is the only one', async t => {
  expectProduct(mug, [combination(101)])
  t.equal((await productMaster().getProduct('27')).variants[0]?.ean, '5901234123457')

  expectProduct(mug, [combination(101, { ean13: '4006381333931' })])
  t.equal((await productMaster().getProduct('27')).variants[0]?.ean, '4006381333931')

  expectProduct(mug, [combination(101), combination(102)])
  t.same((await productMaster().getProduct('27')).variants.map(variant => variant.ean), [undefined, undefined])
})

t.test('a 12-digit barcode is padded to 13', async t => {
  expectProduct({ ...mug, ean13: '012345678905' })

  t.equal((await productMaster().getProduct('27')).variants[0]?.ean, '0012345678905')
})

t.test('a product is active when the shop shows it and takes orders for it', async t => {
  const cases = [
    [{}, true],
    [{ active: 1 }, true],
    [{ active: '0' }, false],
    [{ active: false }, false],
    [{ available_for_order: '0' }, false],
    [{ available_for_order: '' }, false],
    [{ available_for_order: false }, false],
    [{ available_for_order: true }, true],
    [{ available_for_order: undefined }, true]
  ] as const
  for (const [members, isActive] of cases) {
    expectProduct({ ...mug, ...members })
    t.equal((await productMaster().getProduct('27')).isActive, isActive)
  }
})

t.test("prices are gross: net price plus the combination's amount, with the configured country's tax", async t => {
  const combinations = [combination(101), combination(102, { price: '-4.065041', selling: '76.000000' })]
  expectProduct({ ...mug, id_tax_rules_group: '1' }, combinations, asked)
  expectCountry()
  expectGet('tax_rule_groups', { 'filter[id]': '[1]', display: '[id,active]' }).reply(200, [])
  expectAll('tax_rules', { 'filter[id_tax_rules_group]': '[1]', display: 'full' }).reply(200, {
    tax_rules: [{ id: 1, id_tax_rules_group: '1', id_country: '14', id_state: '0', id_tax: '3' }]
  })
  expectGet('taxes', { 'filter[id]': '[3]', display: 'full' }).reply(200, { taxes: [{ id: 3, rate: '23.000' }] })

  const { variants } = await productMaster({ prices: { country: 'PL', currency: 'PLN' } }).getProduct('27')

  t.same(variants.map(variant => variant.price), [
    { amount: '105.00', currency: 'PLN' },
    { amount: '76.00', currency: 'PLN' }
  ])
  t.same(variants.map(variant => variant.regularPrice), [undefined, { amount: '95.00', currency: 'PLN' }])
})

t.test('a simple product has its price and tax on its one variant', async t => {
  expectProduct({ ...mug, id_tax_rules_group: '0' }, [], asked)
  expectCountry()

  t.same((await productMaster({ prices: { country: 'PL', currency: 'PLN' } }).getProduct('27')).variants, [
    {
      externalId: 'product:27',
      sku: 'SKU-27',
      ean: '5901234123457',
      price: { amount: '81.30', currency: 'PLN' },
      taxRate: '0'
    }
  ])
})

t.test('names are read in the configured language', async t => {
  expectGet('products', { 'filter[id]': '[27]', display: 'full', language: '2' })
    .reply(200, { products: [{ ...mug, name: [{ id: '1', value: 'Mug' }, { id: '2', value: 'Kubek' }] }] })
  expectAll('combinations', { 'filter[id_product]': '[27]', display: 'full' }).reply(200, [])

  t.equal((await productMaster({ languageId: '2' }).getProduct('27')).name, 'Kubek')
})

t.test('image addresses follow the configured shop address and image type', async t => {
  expectProduct(mug)

  const product = await productMaster({ baseUrl: 'https://www.shop.test/', imageType: 'home' }).getProduct('27')

  t.equal(product.imageUrls?.[0], 'https://www.shop.test/img/p/4/1/41-home.jpg')
})

t.test('without a time zone the instant of a change is unknown', async t => {
  expectProduct(mug)

  t.equal((await productMaster().getProduct('27')).updatedAt, undefined)
})

t.test('a deleted product and a draft are not found', async t => {
  expectGet('products', { 'filter[id]': '[27]', display: 'full' }).reply(200, [])
  expectAll('combinations', { 'filter[id_product]': '[27]', display: 'full' }).reply(200, [])
  await t.rejects(productMaster().getProduct('27'), { code: AdapterErrorCode.notFound })

  expectProduct({ ...mug, state: '0' })
  await t.rejects(productMaster().getProduct('27'), { code: AdapterErrorCode.notFound, message: /draft/ })
})

t.test('a row with another id is not read as the product', async t => {
  expectProduct({ ...mug, id: 1 })

  await t.rejects(productMaster().getProduct('27'), { code: AdapterErrorCode.notFound })
})

t.test('an id that could widen the filter is refused before any request', async t => {
  for (const id of ['', '0', '-1', '1|2', '1,99', '27]', 'product:27', '27 ', '99999999999']) {
    await t.rejects(productMaster().getProduct(id), { code: AdapterErrorCode.rejected }, id)
  }
})

t.test('the combinations of a page of products are read in one request', async t => {
  expectGet('products', { display: 'full', sort: '[id_ASC]', limit: '0,2' }).reply(200, {
    products: [{ ...mug, id: 26 }, mug]
  })
  expectAll('combinations', { 'filter[id_product]': '[26|27]', display: 'full' }).reply(200, {
    combinations: [combination(101), combination(102)]
  })

  const page = await productMaster().listProducts({ limit: 2 })

  const variantIds = page.items.map(product => product.variants.map(variant => variant.externalId))
  t.same(variantIds, [['product:26'], ['101', '102']])
  t.equal(page.nextCursor, '27')
})

t.test('the next page starts after the last id, and a short one ends the listing', async t => {
  expectGet('products', { display: 'full', 'filter[id]': '>[27]', sort: '[id_ASC]', limit: '0,2' }).reply(200, {
    products: [{ ...mug, id: 30 }]
  })
  expectAll('combinations', { 'filter[id_product]': '[30]', display: 'full' }).reply(200, [])

  const page = await productMaster().listProducts({ cursor: '27', limit: 2 })

  t.same(page.items.map(product => product.externalId), ['30'])
  t.notOk('nextCursor' in page)
})

t.test('a page without a new id ends the listing with a warning', async t => {
  expectGet('products', { display: 'full', 'filter[id]': '>[27]', sort: '[id_ASC]', limit: '0,2' }).reply(200, {
    products: [{ ...mug, id: 26 }, mug]
  })

  t.same(await productMaster().listProducts({ cursor: '27', limit: 2 }), { items: [] })
  t.match(logs, [{ level: 'warn', fields: { resource: 'products', after: 27 }, message: /repeats a page/ }])
})

t.test('drafts are left out of a page without ending the listing', async t => {
  expectGet('products', { display: 'full', sort: '[id_ASC]', limit: '0,2' }).reply(200, {
    products: [{ ...mug, id: 26, state: '0' }, { ...mug, state: '0' }]
  })

  t.same(await productMaster().listProducts({ limit: 2 }), { items: [], nextCursor: '27' })
})

t.test('a page is never larger than a hundred products', async t => {
  expectGet('products', { display: 'full', sort: '[id_ASC]', limit: '0,100' }).reply(200, [])

  t.same(await productMaster().listProducts({ limit: 5_000 }), { items: [] })
})

t.test("changes are asked for in the shop's own time, an overlap before the repeated hour of autumn", async t => {
  expectGet('products', {
    display: 'full',
    date: '1',
    'filter[date_upd]': '>[2025-10-26 01:48:00]',
    sort: '[id_ASC]',
    limit: '0,100'
  }).reply(200, [])

  const shop = productMaster({ timeZone: 'Europe/Warsaw' })
  t.same(await shop.listProducts({ limit: 100, updatedSince: '2025-10-26T00:50:00Z' }), { items: [] })
})

t.test('with an unknown time zone the watermark is too early, never too late', async t => {
  expectGet('products', {
    display: 'full',
    date: '1',
    'filter[date_upd]': '>[2025-01-01 22:58:00]',
    sort: '[id_ASC]',
    limit: '0,100'
  }).reply(200, [])

  t.same(await productMaster().listProducts({ limit: 100, updatedSince: '2025-01-02T12:00:00Z' }), { items: [] })
})

t.test('unchanged products are left out when the shop ignores the watermark', async t => {
  const rows = [
    { ...mug, id: 25, date_upd: '2025-01-02 09:58:00' },
    { ...mug, id: 26, date_upd: '2025-01-02 09:58:01' },
    { ...mug, id: 27, date_upd: '0000-00-00 00:00:00' }
  ]
  expectGet('products', {
    display: 'full',
    date: '1',
    'filter[date_upd]': '>[2025-01-02 09:58:00]',
    sort: '[id_ASC]',
    limit: '0,100'
  }).reply(200, { products: rows })
  expectAll('combinations', { 'filter[id_product]': '[26|27]', display: 'full' }).reply(200, [])

  const page = await productMaster({ timeZone: 'Europe/Warsaw' }).listProducts({
    limit: 100,
    updatedSince: '2025-01-02T10:00:00Z'
  })

  t.same(page.items.map(product => product.externalId), ['26', '27'])
})

t.test('an answer in XML is read like one in JSON', async t => {
  const xml = (content: string) =>
    `<?xml version="1.0" encoding="UTF-8"?><shopa xmlns:xlink="http://www.w3.org/1999/xlink">${content}</shopa>`
  const element = (name: string, ...content: string[]) => `<${name}>${content.join('')}</${name}>`
  const value = (name: string, content: string | number) =>
    `<${name} xlink:href="https://shop.test/api/x"><![CDATA[${content}]]></${name}>`
  const language = (content: string, index: number) =>
    `<language id="${index + 1}" xlink:href="https://shop.test/api/languages"><![CDATA[${content}]]></language>`
  const localised = (name: string, ...texts: string[]) => element(name, ...texts.map(language))
  const association = (name: string, singular: string, ...ids: number[]) => {
    const entry = (id: number) =>
      `<${singular} xlink:href="https://shop.test/api/x"><id><![CDATA[${id}]]></id></${singular}>`
    return `<${name} nodeType="${singular}" api="${name}">${ids.map(entry).join('')}</${name}>`
  }
  const product = element(
    'product',
    value('id', 27),
    value('active', 1),
    value('available_for_order', 1),
    value('state', 1),
    value('reference', ''),
    value('ean13', ''),
    value('id_default_image', 41),
    value('date_upd', '2025-01-02 11:30:00'),
    localised('name', 'Mug', 'Kubek'),
    localised('description', '', '<p>Niebieski</p>'),
    element(
      'associations',
      association('images', 'image', 7, 41),
      association('combinations', 'combination', 101),
      association('product_features', 'product_feature')
    )
  )
  const combination = element(
    'combination',
    value('id', 101),
    value('id_product', 27),
    value('reference', 'SKU-27-R'),
    value('ean13', ''),
    value('upc', '012345678905'),
    element(
      'associations',
      association('product_option_values', 'product_option_value', 9),
      association('images', 'image', 42)
    )
  )
  const option = element('product_option_value', value('id', 9), localised('name', 'Red', 'Czerwony'))
  expectGet('products', { 'filter[id]': '[27]', display: 'full' })
    .reply(200, xml(element('products', product)), { 'content-type': 'text/xml; charset=utf-8' })
  expectAll('combinations', { 'filter[id_product]': '[27]', display: 'full' })
    .reply(200, xml(element('combinations', combination)))
  expectGet('product_option_values', { 'filter[id]': '[9]', display: '[id,id_attribute_group,name]' })
    .reply(200, xml(element('product_option_values', option)))

  t.same(await productMaster({ timeZone: 'Europe/Warsaw' }).getProduct('27'), {
    externalId: '27',
    name: 'Mug',
    description: '<p>Niebieski</p>',
    isActive: true,
    variants: [{
      externalId: '101',
      name: 'Red',
      sku: 'SKU-27-R',
      ean: '0012345678905',
      imageUrls: ['https://shop.test/img/p/4/2/42-large_default.jpg']
    }],
    imageUrls: ['https://shop.test/img/p/4/1/41-large_default.jpg', 'https://shop.test/img/p/7/7-large_default.jpg'],
    updatedAt: '2025-01-02T10:30:00.000Z'
  })
})

t.test('an invalid cursor or time is refused', async t => {
  await t.rejects(productMaster().listProducts({ limit: 10, cursor: '5]|' }), {
    code: AdapterErrorCode.rejected,
    message: /cursor/
  })
  await t.rejects(productMaster().listProducts({ limit: 10, updatedSince: 'yesterday' }), {
    code: AdapterErrorCode.rejected,
    message: /yesterday/
  })
})
