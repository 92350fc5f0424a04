import t from 'tap'
import { openListableVariants } from '../support/listable-variants.ts'
import { availableModes } from '../support/modes.ts'

const imageUrls = ['https://images.example.com/mug.jpg']

for (const mode of availableModes(process.env)) {
  t.test(`the life of an offer, ${mode}`, async t => {
    const listable = await openListableVariants(t, { mode, variants: 1 })
    const [variantId = ''] = listable.variantIds
    const { hub, market } = listable

    const created = await listable.list({
      variantId,
      price: { amount: '49.90', currency: 'PLN' },
      overrides: { title: 'Mug blue', imageUrls }
    })
    t.equal(created.status, 202)
    const { offerId, jobId } = created.json as { offerId: string, jobId: string }
    t.match(await hub.endOf(jobId), { status: 'succeeded', result: { externalId: variantId, quantity: 5 } })
    t.match(await listable.offer(offerId), { status: 'DRAFT', externalId: variantId, quantity: 5, title: 'Mug blue' })
    t.match(hub.market.product(variantId), { name: 'Mug blue', price: 4_990, stock: 5, status: 'active' })

    await listable.sync()
    t.match(await listable.offer(offerId), { status: 'DRAFT' }, 'nothing that is read within the lag is believed')
    await listable.age(26)
    await listable.sync()
    t.match(await listable.offer(offerId), { status: 'ACTIVE', upstreamStatus: 'active' })

    const before = listable.writes(variantId).length
    const renamed = await listable.change(offerId, { price: { amount: '59.00', currency: 'PLN' }, title: 'Mug, blue' })
    t.match(renamed, { status: 'succeeded', result: { applied: ['price', 'title'], frozen: { length: 0 } } })
    t.strictSame(
      listable.writes(variantId).slice(before),
      [{ price: 5_900, name: 'Mug, blue' }],
      'only the members that change are sent'
    )

    const change = (body: object) =>
      hub.call('POST', `/listings/connections/${listable.market}/offers/${offerId}/fields`, { body })
    const dear = { price: { amount: '590.00', currency: 'PLN' } }
    const asked = await change(dear)
    t.match([asked.status, asked.json], [409, {
      code: 'LNK_PRICE_NOT_CONFIRMED',
      detail: /from 59\.00 PLN to 590\.00 PLN; send `confirm: true`/
    }])
    t.match((await change({ price: { amount: '59.00', currency: 'EUR' }, confirm: true })).json, {
      code: 'LNK_OFFER_INVALID',
      detail: /PLN only, not in EUR/
    })
    t.equal((await change({ confirm: true })).status, 400, 'it changes nothing')
    t.match(await listable.change(offerId, { ...dear, confirm: true }), { status: 'succeeded' })
    t.match(await listable.change(offerId, { price: { amount: '59.00', currency: 'PLN' }, confirm: true }), {
      status: 'succeeded'
    })

    hub.market.editInPanel(variantId, { name: 'The seller says' })
    t.match(await listable.change(variantId, { title: 'Mug again', price: { amount: '58.00', currency: 'PLN' } }), {
      status: 'succeeded',
      result: { applied: ['price'], frozen: ['title'] }
    }, 'the external id names the offer, too')
    t.match(await listable.offer(offerId), { title: 'Mug, blue', price: { amount: '58.00' }, frozenFields: ['title'] })
    const known = listable.writes(variantId).length
    t.match(await listable.change(offerId, { title: 'Mug again' }), {
      status: 'succeeded',
      result: { applied: { length: 0 }, frozen: ['title'] }
    })
    t.equal(listable.writes(variantId).length, known, 'a field that is known to be frozen is not sent')

    const ended = await hub.call('POST', `/listings/connections/${market}/offers/${offerId}/end`)
    t.match(await hub.endOf((ended.json as { jobId: string }).jobId), { status: 'succeeded' })
    t.match(await listable.offer(offerId), { status: 'ENDED' })
    t.equal(hub.market.product(variantId)?.archived, true)
  })
}
