import { randomUUID } from 'node:crypto'
import t from 'tap'
import { storeIgnored } from '../../src/events/store.ts'
import { jobIdOf } from '../../src/jobs/identity.ts'
import { searchHub } from '../../src/search/search-hub.ts'
import { eventKey } from '../../src/streams/port.ts'
import { enqueueOne, kinds, openJobsFor, stateJob } from '../jobs/support.ts'
import { openStand } from '../offers/marketplace/support.ts'

for (const kind of kinds(t)) {
  t.test(`a text finds, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database
    const find = async (text: string) =>
      (await searchHub(query, text)).map(({ kind: found, title, matchedBy }) => `${found} ${title} ${matchedBy}`)

    t.test('what has it as an id, whatever it is', async t => {
      const { addOffer, market, name, shop, variantId } = await openStand(jobs)
      await name('v', { name: 'Mug', sku: 'SKU-1', ean: '590' })
      await query("update connections set name = 'Market' where id = $1", [market])
      const offerId = await addOffer({ external_id: '4711', title: 'Blue mug' })
      const job = stateJob('thing', { connectionId: shop, requestId: 'request-1' })
      const jobId = await enqueueOne(jobs, job)
      const deliveryId = await enqueueOne(jobs, {
        ...stateJob('another thing', { connectionId: shop }),
        idempotencyKey: `webhook:mktb:${shop}:event-1`
      })

      t.strictSame(await find(market.toUpperCase()), ['connection Market id'])
      t.strictSame(await find(variantId), ['variant Mug id'])
      t.strictSame(await find(offerId), ['offer Blue mug id'])
      t.strictSame(await find(jobId), [`job ${job.jobType} id`])
      t.strictSame(await find(deliveryId), [`job ${job.jobType} id`, 'delivery event-1 id'])
      for (const [id, name] of [[market, 'connection'], [variantId, 'variant'], [offerId, 'offer'], [jobId, 'job']]) {
        t.match(await searchHub(query, id?.slice(0, 8).toUpperCase() ?? ''), [{ kind: name, id, matchedBy: 'id' }])
        t.match(await searchHub(query, id?.slice(0, 19) ?? ''), [{ kind: name, id, matchedBy: 'id' }])
        t.strictSame(await find(id?.slice(0, 7) ?? ''), [])
      }
      t.strictSame(await find(deliveryId.slice(0, 13)), [`job ${job.jobType} id`, 'delivery event-1 id'])
      t.strictSame(await find('request-1'), [`job ${job.jobType} requestId`])
      t.strictSame(await find('event-1'), [`job ${job.jobType} eventId`, 'delivery event-1 eventId'])
      t.strictSame(await find('EVENT-1'), [], 'senders tell their ids apart by the case')
      t.strictSame(await find(randomUUID()), [])
    })

    t.test('deliveries whose event started no job, by their id or its beginning', async t => {
      const { shop } = await openStand(jobs)
      const id = randomUUID()
      const event = {
        provider: 'mktb',
        connectionId: shop,
        eventId: 'event-2',
        eventType: 'stock.change',
        objectType: 'product',
        externalId: '27',
        occurredAt: '2026-01-31T11:00:00Z',
        publishedAt: '2026-01-31T11:00:00Z'
      }
      const reason = 'unknown event type' as const
      await storeIgnored(
        query,
        [{ ...event, deliveryId: id, reason, event: JSON.stringify(event), message: null }],
        1e6
      )

      for (const text of [id, id.toUpperCase(), id.slice(0, 8), id.slice(0, 13).toUpperCase()]) {
        t.strictSame(await searchHub(query, text), [{
          kind: 'delivery',
          id,
          title: 'stock.change',
          subtitle: '27 · ignored',
          connectionId: shop,
          matchedBy: 'id'
        }], text)
      }
      t.strictSame(await find(id.slice(0, 7)), [])

      const deliveryId = jobIdOf(eventKey({ ...event, eventId: 'event-3' }))
      const another = { ...event, eventId: 'event-3' }
      await storeIgnored(
        query,
        [{ ...another, deliveryId, reason, event: JSON.stringify(another), message: null }],
        1e6
      )
      t.match(await searchHub(query, 'event-3'), [{ kind: 'delivery', id: deliveryId, matchedBy: 'eventId' }])
    })

    t.test('offers by their id at a marketplace, and by what their variant is known by', async t => {
      const { addOffer, market, name, show } = await openStand(jobs)
      await name('v', { name: 'Mug', sku: 'SKU-1', ean: '0590' })
      await addOffer({ external_id: '4711' })
      await show('4712', { title: 'Cup', reference: 'ref-1', sku: 'SKU-2', ean: '591' })
      await show('4711', { title: 'linked by now' })

      t.strictSame(await find('4711'), ['offer Mug externalId'])
      t.strictSame(await find('sku-1'), ['offer Mug sku', 'variant Mug sku'])
      t.strictSame(await find('590'), ['offer Mug ean', 'variant Mug ean'])
      const texts = { 4712: 'externalId', 'REF-1': 'reference', 'sku-2': 'sku', '0591': 'ean' }
      for (const [text, by] of Object.entries(texts)) {
        t.strictSame(await find(text), [`unlinked-offer Cup ${by}`], text)
      }
      t.match(await searchHub(query, '4712'), [{ connectionId: market, subtitle: '4712 · ACTIVE' }])
    })

    t.test('names and SKUs by their beginnings, the shortest first', async t => {
      const { market, name, shop } = await openStand(jobs, ['v', 'w', 'x'])
      await query("update connections set name = 'Mug market' where id = $1", [market])
      await query("update products set name = 'Mug' where connection_id = $1", [shop])
      await name('v', { name: 'Mug big' })
      await name('w', { name: 'red' })
      await name('x', { name: 'redder', sku: 'mug' })

      t.strictSame(await find('MUG'), [
        'variant Mug redder sku',
        'variant Mug big name',
        'variant Mug red name',
        'connection Mug market name'
      ])
      t.strictSame(await find('re'), ['variant Mug red name', 'variant Mug redder name'])
      t.strictSame(await find('red'), ['variant Mug red name', 'variant Mug redder name'])
      t.strictSame(await find('mu%'), [])
      t.strictSame(await find('m_'), [])
    })

    t.test('at most 20 things, whole values first', async t => {
      const variants = Array.from({ length: 40 }, (_, index) => `v${index}`)
      const { name } = await openStand(jobs, ['v', ...variants])
      for (const variant of variants) await name(variant, { name: `Mug ${variant}`, sku: `M-${variant}` })
      await name('v', { sku: 'mug' })

      const found = await searchHub(query, 'mug')
      t.equal(found.length, 20)
      t.match(found[0], { matchedBy: 'sku', subtitle: 'mug' })
    })

    t.test('orders by their id at the marketplace or in the shop', async t => {
      const { market, shop } = await openStand(jobs)
      const id = randomUUID()
      await query(
        `
        insert into orders (id, connection_id, external_id, status, source_status, revision, snapshot, problems,
          placed_at, destination_connection_id, destination_external_id, created_at, updated_at)
        values ($1, $2, '250102x1', 'created', 'new', '1', '{}', '[]', now(), $3, '77', now(), now())`,
        [id, market, shop]
      )

      for (const [text, by] of [[id, 'id'], ['250102x1', 'externalId'], ['77', 'externalId']] as const) {
        t.match(await searchHub(query, text), [{
          kind: 'order',
          id,
          title: '250102x1',
          subtitle: 'created · in the shop 77',
          connectionId: market,
          matchedBy: by
        }])
      }
    })
  })
}
