import t from 'tap'
import { createTaxes, type TaxAddress } from '../../src/products/taxes.ts'
import { openFakeShop } from '../orders/fake-shop.ts'

const rule = (id: number, tax: number, more = {}) => ({
  id,
  id_tax_rules_group: '1',
  id_country: '14',
  id_state: '0',
  zipcode_from: '0',
  zipcode_to: '0',
  behavior: '0',
  id_tax: String(tax),
  ...more
})
const taxes = [{ id: 1, rate: '23.000' }, { id: 2, rate: '10.000' }, { id: 3, rate: '5.000' }]
const percent = 1_000_000_000n

async function read (t: Parameters<typeof openFakeShop>[0], rules: object[], address: TaxAddress) {
  const { client, context } = openFakeShop(t, {
    answers: { 'GET tax_rules': [200, { tax_rules: rules }], 'GET taxes': [200, { taxes }] }
  })
  const reader = createTaxes(client, { now: () => new Date(0), log: context.log })
  return (await reader.readPercents(['1'], async () => address)).get('1')
}

t.test('the narrowest range of postcodes counts, compared as text', async t => {
  const rules = [
    rule(1, 1),
    rule(2, 2, { zipcode_from: '10-000', zipcode_to: '19-999' }),
    rule(3, 3, { zipcode_from: '15-000', zipcode_to: '0' })
  ]
  const cases: [postcode: string, expected: bigint][] = [
    ['00-001', 23n],
    ['', 23n],
    ['10-000', 10n],
    ['19-999', 10n],
    ['2', 23n],
    ['15-000', 5n]
  ]

  for (const [postcode, expected] of cases) {
    t.equal(await read(t, rules, { countryId: '14', postcode }), expected * percent, postcode)
  }
  t.equal(await read(t, rules, { countryId: '1', postcode: '10-000' }), 0n, 'another country has no rule')
})

t.test('rules are added, or taken one on top of the other, until one stands alone', async t => {
  const both = (behavior: string, next = '0') => [
    rule(1, 1, { behavior: next }),
    rule(2, 2, { behavior, zipcode_from: '10-000', zipcode_to: '19-999' })
  ]
  const address = { countryId: '14', postcode: '15-000' }

  t.equal(await read(t, both('0'), address), 10n * percent)
  t.equal(await read(t, both('1'), address), 33n * percent)
  t.equal(await read(t, both('2'), address), 35_300_000_000n)
  t.equal(await read(t, both('1', '2'), address), 33n * percent)
  t.equal(await read(t, [rule(1, 99, { behavior: '1' }), rule(2, 1)], address), undefined, 'an unknown rate')
})
