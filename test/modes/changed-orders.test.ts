import t, { type Test } from 'tap'
import { eventually } from '../support/api.ts'
import { authoriseAt, platformOf, startMarketplaceA } from '../support/marketplace-a.ts'
import { availableModes, type Mode } from '../support/modes.ts'
import { openShopAndMarket } from '../support/shop-and-market.ts'
import { readStoredTexts } from '../support/stored-texts.ts'

interface OrderView {
  id: string
  externalId: string
  reserved: number
  problems: string[]
  changes: { what: string, inShop: string | null, atMarketplace: string | null }[]
  destination: { externalId: string | null } | null
  history: { event: string }[]
}

const offerA = '7680001234'

/** A shop with one variant on sale at both marketplaces. */
async function openPlace (t: Test, mode: Mode) {
  const { market: a, application } = await startMarketplaceA(t)
  a.switches.processingMs = 0
  a.addOffer({ id: offerA, name: 'Mug', stock: { available: 20 }, publication: { status: 'ACTIVE' } })
  const place = await openShopAndMarket(t, { mode, platforms: platformOf(a, application) })
  const { hub, offer, marketId, settle } = place
  const connectionA = await authoriseAt(hub, application).authorise({})
  const body = { connectionId: connectionA, variantId: offer, externalId: offerA }
  await hub.call('POST', '/offers/link', { body })
  await settle()
  /** Runs a job of a marketplace and waits for all jobs that follow. */
  async function run (jobType: string, connectionId: string): Promise<void> {
    const { status, text } = await hub.call('POST', '/jobs', { body: { jobType, connectionId, payload: {} } })
    if (status !== 202) throw new Error(text)
    await settle()
  }
  // The journal begins at its first reading.
  await run('marketplace.orders.poll', connectionA)
  const read = async (externalId: string): Promise<OrderView> => {
    const [found] = (await hub.call('GET', `/orders?externalId=${externalId}`)).json as OrderView[]
    return (await hub.call('GET', `/orders/${found?.id ?? ''}`)).json as OrderView
  }
  return {
    ...place,
    a,
    pollA: () => run('marketplace.orders.poll', connectionA),
    // Marketplace B announces no change of an order: its sweep finds it.
    sweepB: () => run('marketplace.orders.sweep', marketId),
    read,
    shopOrder: async (externalId: string) => hub.shop.order(Number((await read(externalId)).destination?.externalId))
  }
}

for (const mode of availableModes(process.env)) {
  t.test(`an order that changes after the shop has it, ${mode}`, async t => {
    const place = await openPlace(t, mode)
    const { hub, a, offer, pollA, poll, sweepB, read, shopOrder, settle, stock } = place

    t.test('gets its new address in the shop before it is shipped', async t => {
      const placed = a.placeOrder({ lines: [{ offerId: offerA, quantity: 1 }] })
      await pollA()
      t.notMatch((await shopOrder(placed)).delivery, /Polna/)
      a.changeAddress(placed, { street: 'Polna 2', city: 'Gdynia' })
      await pollA()

      t.equal((await shopOrder(placed)).delivery, 'Polna 2, Gdynia')
      const { problems, changes, history } = await read(placed)
      t.strictSame([problems, changes], [[], []])
      t.match(history.slice(-2), [{ event: 'changed at the marketplace' }, { event: 'changed in the shop' }])
      t.equal(hub.shop.orders().length, 1)
    })

    t.test('has a problem with both addresses when the shop shipped it', async t => {
      const placed = a.placeOrder({ lines: [{ offerId: offerA, quantity: 1 }] })
      await pollA()
      const { id, delivery } = await shopOrder(placed)
      hub.shop.changeOrderState(id, 4)
      a.changeAddress(placed, { street: 'Leśna 77', city: 'Sopot' })
      await pollA()

      t.equal((await shopOrder(placed)).delivery, delivery)
      const order = await read(placed)
      t.match(order.problems, [/Leśna 77.*the order is shipped in the shop.*linker orders settle/])
      const changed = { what: 'delivery address, street', atMarketplace: 'Leśna 77' }
      t.match(order.changes, [changed, { what: 'delivery address, city', atMarketplace: /Sopot$/ }])
      const texts = [...await readStoredTexts(hub)].filter(([, texts]) => texts.some(text => text.includes('Leśna 77')))
      t.strictSame(texts.map(([name]) => name).toSorted(), ['public.order_history', 'public.orders'])
      t.notMatch(hub.log.join('\n'), /Leśna 77/)
    })

    t.test('reserves the pieces that the shop lacks, and has a problem until somebody settles it', async t => {
      const placed = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 1, unitPrice: 4_999 }] })
      await poll()
      await settle()
      const before = stock().market ?? 0
      const [item] = hub.market.order(placed)?.items ?? []
      hub.market.changeOrder(placed, {
        lines: [{ externalId: offer, quantity: 3, unitPrice: item?.unitPrice ?? 0 }],
        comment: 'Ring twice',
        deliveryAddress: { ...hub.market.order(placed)?.user?.deliveryAddress, city: 'Sopot' }
      })
      await sweepB()

      const { delivery, messages } = await shopOrder(placed)
      t.match([delivery, messages.at(-1)], [/Sopot$/, /changed the comment: Ring twice/], 'these can follow')
      const { id, problems, changes, reserved } = await read(placed)
      t.match(problems, [/: "1 at 49.99 PLN" in the shop, "3 at 49.99 PLN" at the marketplace.*lines, total there/])
      t.match(changes, [{ what: /^line / }, { what: 'total' }])
      t.equal(reserved, 2)
      t.equal(stock().market, before - 2)
      const attention = async () => (await hub.call('GET', '/attention')).json as { kind: string, code?: string }[]
      const needed = await eventually(
        'an item about it',
        async () => (await attention()).find(({ code }) => code === 'LNK_ORDER_CHANGED')
      )
      t.match(needed, { kind: 'troubled-orders' })
      t.notMatch(JSON.stringify(needed), /Sopot|Leśna/)
      t.match((await hub.call('GET', '/orders?problem=LNK_ORDER_CHANGED')).json, { length: 2 })

      t.equal((await hub.call('POST', `/orders/${id}/settle`)).status, 204)
      await settle()
      t.match(await read(placed), { problems: { length: 0 }, changes: { length: 0 }, reserved: 0 })
      t.equal(stock().market, before)
    })
  })
}
