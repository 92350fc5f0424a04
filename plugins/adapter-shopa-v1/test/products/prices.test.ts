import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { createPrices } from '../../src/products/prices.ts'
import type { Row } from '../../src/webservice/row.ts'
import { createShop, expectAll, expectGet } from '../shop.ts'

const { connect, logs, clock } = createShop(t)

const prices = { country: 'PL', currency: 'PLN' }
const mug = { id: 27, price: '81.300813', id_tax_rules_group: '1' }

function preparePrices (config = { prices }) {
  const { client, context } = connect(config)
  const { prepare } = createPrices(client, context)
  return async (products: Parameters<typeof prepare>[0]) => {
    const { prices } = await prepare(products)
    return (product: Row, combination?: Row) => prices(product, combination).price
  }
}

function expectCountry (countries: object[] = [{ id: 14, iso_code: 'PL' }]) {
  const answer = countries.length === 0 ? [] : { countries }
  expectGet('countries', { 'filter[iso_code]': '[PL]', display: '[id,iso_code]' }).reply(200, answer)
}

function expectRules (groups: string, rules: object[], active: object[] = []) {
  const groupQuery = { 'filter[id]': groups, display: '[id,active]' }
  expectGet('tax_rule_groups', groupQuery).reply(200, active.length === 0 ? [] : { tax_rule_groups: active })
  const answer = rules.length === 0 ? [] : { tax_rules: rules }
  expectAll('tax_rules', { 'filter[id_tax_rules_group]': groups, display: 'full' }).reply(200, answer)
}

function expectTaxes (ids: string, taxes: object[]) {
  expectGet('taxes', { 'filter[id]': ids, display: 'full' }).reply(200, taxes.length === 0 ? [] : { taxes })
}

const rule = (id: number, country: number, tax: number, more = {}) => ({
  id,
  id_tax_rules_group: '1',
  id_country: String(country),
  id_state: '0',
  id_tax: String(tax),
  ...more
})

t.test("a price is the net price plus the combination's amount plus tax, in the configured currency", async t => {
  expectCountry()
  expectRules('[1]', [rule(1, 14, 3)])
  expectTaxes('[3]', [{ id: 3, rate: '23.000' }])

  const price = await preparePrices()([mug])

  t.same(price(mug), { amount: '100.00', currency: 'PLN' })
  t.same(price(mug, { id: 101, price: '4.065041' }), { amount: '105.00', currency: 'PLN' })
  t.same(price(mug, { id: 102, price: '-4.065041' }), { amount: '95.00', currency: 'PLN' })
})

t.test('a promotion gives the price that the shop computes, and the price of the catalog beside it', async t => {
  const { client, context } = connect({ prices })
  const { prepare, query } = createPrices(client, context)
  expectCountry()
  t.same(await query(), {
    'price[selling][use_tax]': 1,
    'price[selling][country]': '14',
    'price[selling][decimals]': 2
  })
  expectRules('[1]', [rule(1, 14, 3)])
  expectTaxes('[3]', [{ id: 3, rate: '23.000' }])
  const read = (await prepare([mug])).prices
  const regularPrice = { amount: '100.00', currency: 'PLN' }

  t.same(read({ ...mug, selling: '80.000000' }), { price: { amount: '80.00', currency: 'PLN' }, regularPrice })
  t.same(read({ ...mug, selling: 79.99499999 }), { price: { amount: '79.99', currency: 'PLN' }, regularPrice })
  t.same(read({ ...mug, selling: '100.000000' }), { price: regularPrice }, 'without a promotion both are one')
  t.same(read({ ...mug, selling: '120.000000' }), { price: { amount: '120.00', currency: 'PLN' } })
  t.same(read(mug), { price: regularPrice }, 'a shop that computes nothing')
  t.same(read({ ...mug, selling: '80.000000' }, { id: 101, price: '4.065041', selling: '84.000000' }), {
    price: { amount: '84.00', currency: 'PLN' },
    regularPrice: { amount: '105.00', currency: 'PLN' }
  })
})

t.test('without config.prices there is no request and no price is known', async t => {
  const { client, context } = connect()

  const { prepare, query } = createPrices(client, context)
  const { prices, taxRate } = await prepare([mug])

  t.same(await query(), {})
  t.same(prices(mug), {})
  t.equal(taxRate(mug), undefined)
})

t.test('the tax rate is known with the price, as a percentage, and unknown is not untaxed', async t => {
  const { client, context } = connect({ prices })
  const cases: Array<[rate: string, expected: string | undefined]> = [
    ['23.000', '23'],
    ['5.500', '5.5'],
    ['10.000', '10'],
    ['0.000', '0'],
    ['many', undefined]
  ]
  for (const [rate, expected] of cases) {
    expectCountry()
    expectRules('[1]', [rule(1, 14, 3)])
    expectTaxes('[3]', [{ id: 3, rate }])

    const { taxRate } = await createPrices(client, context).prepare([mug])
    t.equal(taxRate(mug), expected, rate)
  }
})

t.test('only rules of exactly the country and without a state count, and no rule is no tax', async t => {
  const choices: [object[], string, amount: string][] = [
    [[rule(1, 1, 9), rule(2, 14, 8, { id_state: '5' }), rule(3, 14, 3)], '[9|8|3]', '100.00'],
    [[rule(1, 0, 9), rule(2, 14, 3, { id_state: '5' })], '[9|3]', '81.30'],
    [[rule(1, 14, 3, { zipcode_from: '10-000', zipcode_to: '19-999' })], '[3]', '81.30']
  ]

  for (const [rules, taxes, amount] of choices) {
    expectCountry()
    expectRules('[1]', rules)
    expectTaxes(taxes, [{ id: 3, rate: '23.000' }])
    t.same((await preparePrices()([mug]))(mug), { amount, currency: 'PLN' })
  }
})

t.test('a group that is switched off, without rules, or with a rule that names no tax, has no tax', async t => {
  const cases: [object[], string | undefined, object[]][] = [
    [[rule(1, 14, 3)], '[3]', [{ id: 1, active: '0' }]],
    [[], undefined, []],
    [[rule(1, 14, 0)], undefined, []]
  ]
  for (const [rules, taxes, groups] of cases) {
    expectCountry()
    expectRules('[1]', rules, groups)
    if (taxes !== undefined) expectTaxes(taxes, [{ id: 3, rate: '23.000' }])
    t.same((await preparePrices()([mug]))(mug), { amount: '81.30', currency: 'PLN' })
  }
})

t.test('a key that may not read the groups gives a warning, and the rules count', async t => {
  expectCountry()
  expectGet('tax_rule_groups', { 'filter[id]': '[1]', display: '[id,active]' }).reply(401, {
    errors: [{ code: 26, message: 'no' }]
  })
  expectAll('tax_rules', { 'filter[id_tax_rules_group]': '[1]', display: 'full' }).reply(200, {
    tax_rules: [rule(1, 14, 3)]
  })
  expectTaxes('[3]', [{ id: 3, rate: '23.000' }])

  t.same((await preparePrices()([mug]))(mug), { amount: '100.00', currency: 'PLN' })
  t.match(logs, [{ level: 'warn', message: /counts as active/ }])
})

t.test('a product without a tax rules group is untaxed', async t => {
  for (const group of ['0', 0, undefined]) {
    const untaxed = { ...mug, id_tax_rules_group: group }
    t.same((await preparePrices()([untaxed]))(untaxed), { amount: '81.30', currency: 'PLN' })
  }
})

t.test('with an unknown rate the price is left out with a warning, and asked for again', async t => {
  const answers: [object[], object[]][] = [
    [[rule(1, 14, 3)], []],
    [[rule(1, 14, 3)], [{ id: 3, rate: '' }]]
  ]

  for (const [rules, taxes] of answers) {
    const prepare = preparePrices()
    expectCountry()
    expectRules('[1]', rules)
    expectTaxes('[3]', taxes)
    t.equal((await prepare([mug]))(mug), undefined)
    t.match(logs.pop(), { level: 'warn', fields: { products: ['27'], taxRulesGroups: ['1'] } })

    expectRules('[1]', [rule(1, 14, 3)])
    expectTaxes('[3]', [{ id: 3, rate: '0.000' }])
    t.same((await prepare([mug]))(mug), { amount: '81.30', currency: 'PLN' })
  }
})

t.test('a price that the shop does not say is unknown', async t => {
  const price = await preparePrices()([{ ...mug, id_tax_rules_group: '0' }])

  t.equal(price({ id: 27, id_tax_rules_group: '0', price: '' }), undefined)
  t.equal(price({ id: 27, id_tax_rules_group: '0', price: '1.00' }, { id: 101 }), undefined)
})

t.test('the groups of many products are read in one request each, and kept for ten minutes', async t => {
  const products = [
    mug,
    { ...mug, id: 28 },
    { ...mug, id: 29, id_tax_rules_group: '2' },
    { ...mug, id: 30, id_tax_rules_group: '0' }
  ]
  const rules = [rule(1, 14, 3), rule(2, 14, 4, { id_tax_rules_group: '2' })]
  const taxes = [{ id: 3, rate: '23.000' }, { id: 4, rate: '8.000' }]
  const prepare = preparePrices()
  expectCountry()
  expectRules('[1|2]', rules)
  expectTaxes('[3|4]', taxes)
  const price = await prepare(products)
  t.same(products.map(product => price(product)?.amount), ['100.00', '100.00', '87.80', '81.30'])

  clock.advance(9 * 60_000)
  await prepare(products)

  clock.advance(60_000)
  expectRules('[1|2]', rules)
  expectTaxes('[3|4]', [{ id: 3, rate: '22.000' }, { id: 4, rate: '8.000' }])
  t.equal((await prepare(products))(mug)?.amount, '99.19')
})

t.test('a country that the shop does not have is a configuration error', async t => {
  for (const countries of [[], [{ id: 1, iso_code: 'DE' }]]) {
    expectCountry(countries)
    expectRules('[1]', [])
    await t.rejects(preparePrices()([mug]), {
      code: AdapterErrorCode.configuration,
      message: /no country PL \(config\.prices\.country\)/
    })
  }
})

t.test('a key that may not read the tax rules is a configuration error', async t => {
  expectCountry()
  expectGet('tax_rule_groups', { 'filter[id]': '[1]', display: '[id,active]' }).reply(200, [])
  expectAll('tax_rules', { 'filter[id_tax_rules_group]': '[1]', display: 'full' }).reply(401, {
    errors: [{ code: 26, message: 'no' }]
  })

  await t.rejects(preparePrices()([mug]), { code: AdapterErrorCode.configuration, message: /GET tax_rules/ })
})
