import type { OrderLine } from '@linker/sdk'
import t from 'tap'
import {
  areMapped,
  changeReservedLines,
  copyVariants,
  findMappable,
  findProducts,
  findSoldOffers,
  findUnmapped,
  freeLines,
  mapLines,
  readLines,
  readLinesOf,
  readReservations,
  removeOtherLines,
  reserveLines,
  writeLines
} from '../../../src/orders/lines/store.ts'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'
import { placeOrder } from '../placed-order.ts'

const line = (externalId: string, offerExternalId: string | undefined, quantity = 1): OrderLine => ({
  externalId,
  ...(offerExternalId === undefined ? {} : { offerExternalId }),
  name: 'Mug',
  quantity,
  unitPrice: { amount: '10.00', currency: 'PLN' }
})

t.test('the lines of an order', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database
  const quantities = async (orderId: string) =>
    (await readLines(query, orderId)).map(({ externalId, quantity }) => [externalId, quantity])

  t.test('are read with their variant, its product and its shop, also when they have none', async t => {
    const { orderId, shop, variantIdOf } = await placeOrder(jobs, {
      lines: [line('2', 'nobody'), line('1', 'offer-1', 3)]
    })

    t.strictSame(await readLines(query, orderId), [
      {
        externalId: '1',
        offerExternalId: 'offer-1',
        quantity: 3,
        variantId: variantIdOf('offer-1'),
        variantExternalId: 'offer-1',
        productExternalId: 'p',
        masterId: shop
      },
      {
        externalId: '2',
        offerExternalId: 'nobody',
        quantity: 1,
        variantId: null,
        variantExternalId: null,
        productExternalId: null,
        masterId: null
      }
    ])
    t.strictSame(await findUnmapped(query, orderId), [{ externalId: '2', offerExternalId: 'nobody' }])
    t.equal(await areMapped(query, orderId), false)
    await query('delete from order_lines where external_id = $1', ['2'])
    t.equal(await areMapped(query, orderId), true)
  })

  t.test('of several orders come by order', async t => {
    const [one, other] = [await placeOrder(jobs), await placeOrder(jobs, { lines: [line('7', 'x'), line('6', 'x')] })]
    const lines = await readLinesOf(query, [one.orderId, other.orderId])

    t.strictSame(lines.get(other.orderId)?.map(({ externalId }) => externalId), ['6', '7'])
    t.match(lines.get(one.orderId), [{ externalId: '1', offerExternalId: 'offer-1', quantity: 1 }])
    t.equal(lines.size, 2)
  })

  t.test('get the variants that their offers sell, and keep them when they are written again', async t => {
    const { orderId, market, variantIdOf } = await placeOrder(jobs)
    await query('update offers set external_id = $1', ['moved'])
    await writeLines(query, orderId, [line('1', 'other', 4), line('2', 'moved')], false)
    await mapLines(query, orderId, market)

    t.match(await readLines(query, orderId), [
      { externalId: '1', offerExternalId: 'other', quantity: 4, variantId: variantIdOf('offer-1') },
      { externalId: '2', offerExternalId: 'moved', variantId: variantIdOf('offer-1') }
    ])
  })

  t.test('take the variants of the same lines in orders that they replace', async t => {
    const old = await placeOrder(jobs)
    const { orderId } = await placeOrder(jobs, { lines: [line('1', 'nobody'), line('2', 'nobody')] })
    await copyVariants(query, orderId, [old.orderId])

    t.strictSame((await readLines(query, orderId)).map(({ variantId }) => variantId), [
      old.variantIdOf('offer-1'),
      null
    ])
  })

  t.test('are removed when the marketplace removed them or sells another offer, with their pieces', async t => {
    const kept = [line('1', 'offer-1'), line('2', 'offer-1')]
    const { orderId, variantIdOf } = await placeOrder(jobs, {
      lines: [...kept, line('3', 'offer-1', 2), line('4', 'offer-1', 3), line('5', 'nobody')]
    })
    const changes = await removeOtherLines(query, orderId, [
      line('1', 'offer-1', 9),
      line('2', undefined),
      line('3', 'other')
    ])

    t.strictSame(changes.toSorted((a, b) => b.by - a.by), [
      { variantId: variantIdOf('offer-1'), by: -2 },
      { variantId: variantIdOf('offer-1'), by: -3 }
    ], 'a line without a variant reserves nothing')
    t.strictSame(await quantities(orderId), [['1', 1], ['2', 1]])
  })

  t.test('change their reserved pieces only while they reserve some', async t => {
    const { orderId, variantIdOf } = await placeOrder(jobs, {
      lines: [line('1', 'offer-1', 2), line('2', 'offer-1', 2), line('3', 'offer-1', 2)]
    })
    await query("update order_lines set is_reserved = false where external_id = '3'")
    const changes = await changeReservedLines(query, orderId, [
      line('1', 'offer-1', 5),
      line('2', 'offer-1', 2),
      line('3', 'offer-1', 5)
    ])

    t.strictSame(changes, [{ variantId: variantIdOf('offer-1'), by: 3 }])
    t.strictSame(await quantities(orderId), [['1', 5], ['2', 2], ['3', 2]])
  })

  t.test('are reserved and freed once', async t => {
    const { orderId, variantIdOf } = await placeOrder(jobs, { lines: [line('1', 'offer-1', 2), line('2', 'nobody')] })
    const pieces = [{ variantId: variantIdOf('offer-1'), quantity: 2 }]
    t.strictSame(await reserveLines(query, orderId), [], 'the reading has reserved them')

    t.strictSame(await freeLines(query, [orderId]), pieces)
    t.strictSame(await freeLines(query, [orderId]), [])
    t.strictSame(await reserveLines(query, orderId), pieces)
  })

  t.test('reserve pieces of a variant as long as their order is neither in the shop nor at its end', async t => {
    const { orderId, variantIdOf, market, set, putAtShop, read } = await placeOrder(jobs, {
      lines: [line('1', 'offer-1', 2), line('2', 'offer-1', 1)]
    })
    const { externalId } = await read()
    const variantId = variantIdOf('offer-1')
    const none = { orders: [], count: 0, pieces: 0 }

    t.match(await readReservations(query, variantId), {
      orders: [{ id: orderId, externalId, connectionId: market, quantity: 3, readAt: /^\d{4}-.*Z$/ }],
      count: 1,
      pieces: 3
    })
    t.strictSame(await readReservations(query, variantIdOf('other')), none)
    for (const status of ['shipped', 'cancelled', 'created', 'returned']) {
      await set(`status = '${status}'`)
      t.strictSame(await readReservations(query, variantId), none, status)
    }
    await set("status = 'failed'")
    t.match(await readReservations(query, variantId), { orders: [{ status: 'failed' }], pieces: 3 })
    await putAtShop()
    t.strictSame(await readReservations(query, variantId), none)
  })

  t.test('name each offer and each product once', async t => {
    const { orderId, market, shop } = await placeOrder(jobs, {
      lines: [line('1', 'offer-1'), line('2', 'offer-1'), line('3', 'nobody'), line('4', undefined)]
    })
    const sold = await findSoldOffers(query, orderId)

    t.strictSame(sold.map(({ externalId }) => externalId).toSorted(), ['nobody', 'offer-1'])
    t.ok(sold.every(({ connectionId }) => connectionId === market))
    t.strictSame(await findProducts(query, orderId), [{ connectionId: shop, externalId: 'p' }])
  })

  t.test('of an order that waits can be mapped once one of their offers is linked', async t => {
    const { orderId, market, shop, set, read } = await placeOrder(jobs, {
      lines: [line('1', 'late'), line('2', 'later')]
    })
    const { externalId } = await read()
    t.strictSame(await findMappable(query, market, undefined), [])
    await query('update offers set external_id = $1', ['late'])

    t.strictSame(await findMappable(query, market, undefined), [externalId])
    t.strictSame(await findMappable(query, market, ['none', 'late']), [externalId])
    t.strictSame(await findMappable(query, market, ['later']), [])
    t.strictSame(await findMappable(query, shop, undefined), [])
    const copyOrder = `
      insert into orders
      select (jsonb_populate_record(orders, jsonb_build_object('id', gen_random_uuid(), 'external_id', 'copy ' || n))).*
      from orders, generate_series(1, 250) n
      where external_id = $1`
    await query(copyOrder, [externalId])
    const copyLines = `
      insert into order_lines
      select (jsonb_populate_record(order_lines, jsonb_build_object('order_id', orders.id))).*
      from order_lines, orders
      where order_lines.order_id = $1 and orders.external_id like 'copy %'`
    await query(copyLines, [orderId])
    const all = await findMappable(query, market, ['late'])
    t.equal(new Set(all).size, 251, 'all orders with this offer')
    t.equal((await findMappable(query, market, undefined)).length, 100, 'a poll comes again')
    await query("delete from orders where external_id like 'copy %'")
    await set("status = 'cancelled'")
    t.strictSame(await findMappable(query, market, undefined), [])
  })
})
