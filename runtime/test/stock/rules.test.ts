import fc from 'fast-check'
import t from 'tap'
import { isSuspicious, offerWarnings, publishedQuantity, sellable, uncountedPieces } from '../../src/stock/rules.ts'
import { publishedQuantitySql } from '../../src/stock/statements.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'

const largest = 2_147_483_647
const stock = fc.record({ quantity: fc.integer({ min: -largest, max: largest }), reserved: fc.nat(largest) })
const kindOfStock = fc.record({
  quantity: fc.integer({ min: -largest, max: largest }),
  reserved: fc.nat(largest),
  isCounted: fc.boolean(),
  isSellable: fc.boolean(),
  confirmedQuantity: fc.option(fc.nat(largest))
})
const limits = fc.record({
  buffer: fc.oneof(fc.nat(20), fc.nat(largest)),
  maxListed: fc.option(fc.oneof(fc.nat(20), fc.nat(largest))),
  sellsInactive: fc.boolean()
})

t.test('an offer never shows less than zero, more than its limit, or more than the stock less its buffer', async t => {
  t.doesNotThrow(() =>
    fc.assert(fc.property(stock, limits, (of, { buffer, maxListed }) => {
      const shown = publishedQuantity(of, { buffer, maxListed })
      return shown >= 0 && shown <= (maxListed ?? largest) && shown <= Math.max(0, sellable(of) - buffer)
    }))
  )
})

t.test('an offer shows all that its limits allow', async t => {
  t.doesNotThrow(() =>
    fc.assert(fc.property(stock, limits, (of, { buffer, maxListed }) => {
      const shown = publishedQuantity(of, { buffer, maxListed })
      return shown === maxListed || shown === Math.max(0, of.quantity - of.reserved - buffer)
    }))
  )
  t.equal(publishedQuantity({ quantity: 10, reserved: 2 }, { buffer: 3, maxListed: null }), 5)
  t.equal(publishedQuantity({ quantity: 10, reserved: 2 }, { buffer: 3, maxListed: 4 }), 4)
  t.equal(publishedQuantity({ quantity: 10, reserved: 2 }, { buffer: 30, maxListed: 4 }), 0)
  t.equal(publishedQuantity({ quantity: -3, reserved: 0 }, { buffer: 0, maxListed: null }), 0)
})

t.test('a quantity that jumped is not on sale before a person confirms it', async t => {
  const jumped = { quantity: 1_000, reserved: 2, confirmedQuantity: 10 }

  t.equal(sellable(jumped), 8)
  t.equal(publishedQuantity(jumped, { buffer: 3, maxListed: null }), 5)
  t.equal(publishedQuantity({ ...jumped, confirmedQuantity: null }, { buffer: 3, maxListed: null }), 995)
})

t.test('of a stock that the master does not count, nothing is held back until the variant is gone', async t => {
  const endless = { quantity: uncountedPieces, reserved: 7, isCounted: false }

  t.equal(sellable(endless), uncountedPieces)
  t.equal(publishedQuantity(endless, { buffer: 5, maxListed: null }), uncountedPieces)
  t.equal(publishedQuantity(endless, { buffer: 5, maxListed: 3 }), 3)
  t.equal(publishedQuantity(endless, { buffer: 0, maxListed: 5_000 }), 5_000)
  t.equal(publishedQuantity({ ...endless, quantity: 0 }, { buffer: 0, maxListed: 5_000 }), 0)
})

t.test('a variant that the master has switched off shows 0, unless the marketplace sells inactive ones', async t => {
  const off = { quantity: 10, reserved: 2, isSellable: false }
  const link = { buffer: 3, maxListed: null }

  t.equal(publishedQuantity(off, link), 0)
  t.equal(publishedQuantity({ ...off, isCounted: false }, link), 0)
  t.equal(publishedQuantity(off, { ...link, sellsInactive: true }), 5)
  t.equal(publishedQuantity({ ...off, isSellable: null }, link), 5, 'unknown is not switched off')
})

t.test('more in the shop never shows less, more reserved or a larger buffer never shows more', async t => {
  t.doesNotThrow(() =>
    fc.assert(fc.property(stock, limits, fc.nat(100), (of, link, more) => {
      const shown = publishedQuantity(of, link)
      return publishedQuantity({ ...of, quantity: of.quantity + more }, link) >= shown &&
        publishedQuantity({ ...of, reserved: of.reserved + more }, link) <= shown &&
        publishedQuantity(of, { ...link, buffer: link.buffer + more }) <= shown
    }))
  )
})

const selectPublished = `
  with variants as (
    select (value ->> 'variant_id')::integer as id, (value ->> 'is_sellable')::boolean as is_sellable
    from jsonb_array_elements($1::jsonb)
  ),
  connections as (
    select (value ->> 'variant_id')::integer as id, value -> 'settings' as settings
    from jsonb_array_elements($1::jsonb)
  )
  select ${publishedQuantitySql} as shown
  from jsonb_array_elements($1::jsonb) with ordinality as given (value, position)
  cross join lateral jsonb_to_record(given.value) as stock (
    variant_id integer, quantity integer, reserved integer, is_counted boolean, shared_id uuid,
    confirmed_quantity integer
  )
  cross join lateral jsonb_to_record(given.value) as offers (
    connection_id integer, buffer integer, max_listed integer
  )
  order by position`

for (const kind of kinds(t)) {
  t.test(`${kind}: the database computes the same quantity`, async t => {
    const { database } = await openJobsFor(t, kind)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(kindOfStock, limits), { minLength: 1, maxLength: 100 }), async cases => {
        const rows = cases.map(([of, { sellsInactive, buffer, maxListed }], index) => ({
          ...of,
          variant_id: index,
          connection_id: index,
          settings: sellsInactive === undefined ? {} : { sellsInactive },
          is_counted: of.isCounted,
          is_sellable: of.isSellable,
          confirmed_quantity: of.confirmedQuantity,
          buffer,
          max_listed: maxListed
        }))
        const found = await database.query<{ shown: number }>(selectPublished, [JSON.stringify(rows)])
        t.strictSame(found.map(({ shown }) => shown), cases.map(([of, link]) => publishedQuantity(of, link)))
      }),
      { numRuns: 20 }
    )
  })
}

t.test('only frozen stock gives a warning, and an oversell needs more on offer than is left', async t => {
  const offer = { quantity: 4, upstreamQuantity: null, frozenFields: ['stock'] }

  t.strictSame(offerWarnings({ ...offer, frozenFields: ['price'] }, { quantity: 0, reserved: 0 }), [])
  t.match(offerWarnings(offer, { quantity: 3, reserved: 0 }), [{ code: 'stock-frozen' }, {
    code: 'oversell',
    message: /offers 4 .* has 3/
  }])
  t.match(offerWarnings(offer, { quantity: 5, reserved: 2 }).map(({ code }) => code), ['stock-frozen', 'oversell'])
  t.match(offerWarnings(offer, { quantity: 4, reserved: 0 }).map(({ code }) => code), ['stock-frozen'])
  t.match(offerWarnings({ ...offer, upstreamQuantity: 2 }, { quantity: 3, reserved: 0 }).map(({ code }) => code), [
    'stock-frozen'
  ], 'the last reading counts')
  t.match(offerWarnings({ ...offer, quantity: null }, { quantity: 3, reserved: 0 }).map(({ code }) => code), [
    'stock-frozen'
  ], 'unknown is not more')
  t.match(offerWarnings(offer, { quantity: 9, reserved: 0, isSellable: false }).map(({ code }) => code), [
    'stock-frozen',
    'oversell'
  ], 'nothing is left of a variant that is switched off')
})

t.test('a sweep is suspicious when it sees nothing, or misses more than twenty and more than half', async t => {
  t.equal(isSuspicious({ known: 1, missing: 1, seen: 0 }), true)
  t.equal(isSuspicious({ known: 40, missing: 21, seen: 19 }), true)
  t.equal(isSuspicious({ known: 42, missing: 21, seen: 21 }), false)
  t.equal(isSuspicious({ known: 30, missing: 20, seen: 10 }), false)
  t.equal(isSuspicious({ known: 0, missing: 0, seen: 0 }), false)
})
