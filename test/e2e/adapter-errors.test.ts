import { randomUUID } from 'node:crypto'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { buildTestHub, type Job } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { pointersOf, problemOf } from '../support/problem.ts'

const nowhere = '00000000-0000-4000-8000-000000000000'

// Specification, section 7.2.
t.test('the hub answers refused work with the exceptions of the specification', async t => {
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env) })
  const job = (connectionId: string, jobType = 'master.product.syncByExternalId') =>
    hub.call('POST', '/jobs', { body: { jobType, connectionId, payload: { externalId: '27' } } })
  const link = (connectionId: string) =>
    hub.call('POST', '/offers/link', { body: { connectionId, variantId: nowhere, externalId: 'offer' } })
  const ended = async (answer: { json: unknown }): Promise<Job> => hub.endOf((answer.json as { jobId: string }).jobId)

  t.test('ConnectionNotFoundException, 404, for a connection that does not exist', async t => {
    const answers = [
      await hub.call('GET', `/connections/${nowhere}`),
      await hub.call('PATCH', `/connections/${nowhere}`, { body: { name: 'x' } }),
      await hub.call('PATCH', `/connections/${nowhere}/disable`),
      await hub.call('PUT', `/connections/${nowhere}/credentials`, { body: { credentials: 'k' } }),
      await hub.call('PUT', `/connections/${nowhere}/credentials?test=false`, { body: { credentials: 'k' } }),
      await hub.call('POST', `/connections/${nowhere}/test`),
      await job(nowhere),
      await link(nowhere)
    ]

    for (const answer of answers) {
      t.match(problemOf(answer), {
        status: 404,
        title: 'ConnectionNotFoundException',
        code: 'LNK_CONNECTION_NOT_FOUND',
        detail: new RegExp(nowhere)
      })
    }
  })

  t.test('ConnectionDisabledException, 400, for new work of a disabled one', async t => {
    const id = await hub.connect('mktb', { status: 'disabled' })

    for (const answer of [await job(id), await link(id)]) {
      t.match(problemOf(answer), {
        status: 400,
        title: 'ConnectionDisabledException',
        code: 'LNK_CONNECTION_DISABLED',
        detail: new RegExp(id)
      })
    }
  })

  t.test('CapabilityNotSupportedException, 500, for an offer on a connection that is no marketplace', async t => {
    const shop = await hub.connect('shopa')
    const narrowed = await hub.connect('mktb', { capabilities: [] })

    for (const answer of [await link(shop), await link(narrowed)]) {
      t.match(problemOf(answer), {
        status: 500,
        title: 'CapabilityNotSupportedException',
        code: 'LNK_CAPABILITY_NOT_SUPPORTED',
        detail: /OfferManager/
      })
    }
  })

  t.test('a job that needs a capability which its connection lacks, or was not left, is dead at once', async t => {
    const market = await hub.connect('mktb')
    const narrowed = await hub.connect('shopa', { capabilities: ['InventoryMaster'] })

    for (const id of [market, narrowed]) {
      const { status, problem, attempts } = await ended(await job(id))
      t.equal(status, 'dead')
      t.match(problem, { code: 'LNK_CAPABILITY_NOT_SUPPORTED', message: /ProductMaster/ })
      t.equal(attempts.length, 1)
    }
  })

  t.test('an unknown job type is refused with a list of the known ones', async t => {
    const id = await hub.connect('shopa')

    for (const jobType of ['master.unknown', 'mktb.inventory.sync', 'shopa.unknown.sync']) {
      const answer = await job(id, jobType)
      t.match(problemOf(answer), {
        status: 400,
        code: 'LNK_REQUEST_INVALID',
        detail: /shopa\.inventory\.syncByExternalId/
      })
      t.strictSame(pointersOf(answer), ['/jobType'])
    }
  })

  t.test('a refusal names only job types that the capabilities of the connection can run', async t => {
    const [shop, market, lessened] = [
      await hub.connect('shopa'),
      await hub.connect('mktb'),
      await hub.connect('shopa', { capabilities: ['ProductMaster'] })
    ]
    const refusals = [
      await job(shop, 'shopa.unknown'),
      await job(market, 'mktb.unknown'),
      await job(lessened, 'shopa.unknown')
    ].map(problemOf)

    for (const refusal of refusals) t.match(refusal, { status: 400, code: 'LNK_REQUEST_INVALID' })
    const [ofShop = '', ofMarket = '', ofLessened = ''] = refusals.map(({ detail }) =>
      detail.slice(detail.indexOf('these do:'))
    )
    t.match(ofShop, /master\.inventory\.syncAll.*master\.order\.create.*shopa\.inventory\.syncByExternalId/)
    t.notMatch(ofShop, /marketplace\.|fulfilment\./)
    t.match(ofMarket, /marketplace\.offerQuantity\.update.*marketplace\.orders\.poll/)
    t.notMatch(ofMarket, /master\.|fulfilment\./)
    t.match(ofLessened, /master\.product\.syncByExternalId/)
    t.notMatch(ofLessened, /master\.inventory|master\.order/)
  })

  t.test('a stock job for an offer of another connection is dead', async t => {
    const [shop, market, other] = [
      await hub.connect('shopa'),
      await hub.connect('mktb'),
      await hub.connect('mktb', { credentials: 'another-key', capabilities: ['OfferManager'] })
    ]
    const run = await job(shop, 'shopa.inventory.syncByExternalId')
    await ended(run)
    const [product] = (await hub.call('GET', `/products?connectionId=${shop}`)).json as { variants: { id: string }[] }[]
    const externalId = randomUUID()
    hub.market.addProduct(externalId)
    const offer = (await hub.call('POST', '/offers/link', {
      body: { connectionId: market, variantId: product?.variants[0]?.id, externalId }
    })).json as { id: string }
    const foreign = await ended(await hub.call('POST', '/jobs', {
      body: { jobType: 'marketplace.offerQuantity.update', connectionId: other, payload: { offerId: offer.id } }
    }))

    t.match(foreign, {
      status: 'dead',
      problem: { code: 'LNK_ADAPTER_REJECTED', message: /the connection of the job/ }
    })
    t.match((await hub.call('GET', `/connections/${other}`)).json, { status: 'active' })
    const { problems } = (await hub.call('GET', `/offers/${offer.id}`)).json as { problems: string[] }
    t.notOk(
      problems.some(problem => problem.startsWith('the quantity was not written')),
      'nor does the offer answer for it'
    )
  })

  t.test('AdapterNotFoundException, 500, while the adapter package is not loaded; its jobs wait', async t => {
    const [shop, market] = [await hub.connect('shopa'), await hub.connect('mktb')]
    await hub.restart({ config: { adapters: ['@linker/adapter-mktb-v1'] } })
    const delivered = await hub.deliver(shop, {
      eventType: 'stock.changed',
      objectType: 'stock',
      externalId: '27',
      requestId: 'while-missing'
    })
    const answers = [
      await hub.call('POST', `/connections/${shop}/test`),
      await hub.call('PUT', `/connections/${shop}/credentials?test=false`, {
        body: { credentials: { apiUrl: hub.shop.apiUrl, apiKey: 'k' } }
      }),
      await job(shop)
    ]

    for (const answer of answers) {
      t.match(problemOf(answer), {
        status: 500,
        title: 'AdapterNotFoundException',
        code: 'LNK_ADAPTER_MISSING',
        detail: /shopa\.webservice\.v1.*mktb\.shopapi\.v1/
      })
    }
    t.match(
      (await hub.call('POST', `/connections/${market}/test`)).json,
      { success: true },
      'the others are not touched by it'
    )
    t.match((await hub.call('GET', `/connections/${shop}`)).json, {
      status: 'active',
      adapterKey: 'shopa.webservice.v1'
    }, 'what the operator set stays')
    t.equal(
      (await hub.call('PATCH', `/connections/${shop}`, { body: { name: 'Renamed' } })).status,
      200,
      'and what needs no adapter goes on'
    )
    t.equal(delivered.status, 202, 'its webhooks are accepted')
    const waiting = await eventually('a run of the job', async () => {
      const { json } = await hub.call('GET', `/jobs/${String(delivered.headers['x-linker-delivery-id'])}`)
      return (json as Job).status === 'waiting' ? json as Job : undefined
    })
    t.match(waiting, { problem: { code: 'LNK_ADAPTER_MISSING' }, finishedAt: null })

    await hub.restart()
    t.match(
      (await hub.call('POST', `/connections/${shop}/test`)).json,
      { success: true },
      'served again when it is back'
    )
  })
})
