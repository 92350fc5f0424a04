import { randomUUID } from 'node:crypto'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { feedshopManifest } from '../support/feedshop.ts'
import { buildTestHub, type Job, type TestHub } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import type { ForeignPackage } from '../support/project.ts'

const [shopa, mktb, feedshop] = ['@linker/adapter-shopa-v1', '@linker/adapter-mktb-v1', '@acme/adapter-feedshop-v1']
const feedKey = `feed-${randomUUID()}`

/** Has event types and a job type of its own, and a secret in its config. */
const feed: ForeignPackage = {
  manifest: feedshopManifest({ permissions: { jobs: ['feedshop.*'] } }),
  source: `
    import { defineAdapter } from '@linker/sdk'
    export default defineAdapter({
      config: {
        type: 'object',
        properties: { feedUrl: { type: 'string' }, feedKey: { type: 'string', secret: true } }
      },
      credentials: { type: 'null' },
      connect: () => ({}),
      account: async () => undefined,
      capabilities: {},
      webhooks: { scheme: 'hmac', events: { 'feed.refreshed': 'feedshop.feed.sync' } },
      jobs: {
        'feedshop.feed.sync': {
          payload: { type: 'object' },
          run: async (client, { payload }) => ({ result: payload.externalId })
        }
      }
    })`
}

interface View {
  id: string
  statusReason: string | null
  config: Record<string, unknown>
  adapterKey: string
  adapterVersion: string
  effectiveConfig?: Record<string, unknown>
}

async function openWorld (hub: TestHub) {
  const created = await hub.call('POST', '/connections', {
    body: { name: 'Feed', platformType: 'feedshop', config: { feedUrl: 'https://feed.example', feedKey } }
  })
  if (created.status !== 201) throw new Error(created.text)
  const ids = {
    shop: await hub.connect('shopa', { config: { shopId: '1' } }),
    market: await hub.connect('mktb'),
    feed: (created.json as View).id
  }

  const jobsOf = async (requestId: string): Promise<Job[]> =>
    (await hub.call('GET', `/jobs?requestId=${requestId}&limit=200`)).json as Job[]

  /** Delivers an event and returns its request id. */
  async function deliver (connection: 'shop' | 'feed', eventType: string, externalId: string): Promise<string> {
    const requestId = randomUUID()
    const { status, text } = await hub.deliver(ids[connection], {
      provider: connection === 'shop' ? 'shopa' : 'feedshop',
      eventType,
      objectType: eventType.split('.')[0] ?? '',
      externalId,
      requestId
    })
    if (status !== 202) throw new Error(`the webhook was answered ${status}: ${text}`)
    return requestId
  }

  return {
    ids,
    deliver,
    async views (): Promise<View[]> {
      return Promise.all(Object.values(ids).map(async id => (await hub.call('GET', `/connections/${id}`)).json as View))
    },
    /** The job of this type that a request led to, once it waits and says why. */
    waiting: (requestId: string, jobType: string): Promise<Job> =>
      eventually(`a waiting ${jobType}`, async () => {
        const ofRequest = (await jobsOf(requestId)).filter(job => job.jobType === jobType)
        // On a slow machine the second reading of the shop's minute may come before this job.
        const others = ofRequest.length === 0
          ? []
          : (await hub.call('GET', `/jobs?jobType=${jobType}&status=waiting`)).json as Job[]
        return [...ofRequest, ...others].find(job => job.status === 'waiting' && job.problem !== null)
      }),
    /** A variant of the shop that is on sale at the marketplace. */
    async list (productId: number, quantity: number): Promise<string> {
      hub.shop.addProduct({ id: productId, name: 'Mug', quantity })
      await hub.jobsOf(await deliver('shop', 'product.saved', String(productId)))
      const [product] = (await hub.call('GET', `/products?connectionId=${ids.shop}&externalId=${productId}`)).json as {
        variants: { id: string }[]
      }[]
      const variantId = product?.variants[0]?.id ?? ''
      hub.market.addProduct(variantId, { stock: quantity })
      const { status, text } = await hub.call('POST', '/offers/link', {
        body: { connectionId: ids.market, variantId, externalId: variantId }
      })
      if (status !== 201) throw new Error(text)
      return variantId
    }
  }
}

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: events for a connection whose adapter is away wait for it, and none is lost`, async t => {
    const variables: Record<string, string> = { LINKER_WEBHOOK_SECRET__FEEDSHOP: 'of the feed' }
    const hub = await buildTestHub(t, {
      mode,
      packages: [feed],
      config: { adapters: [shopa, mktb, feedshop] },
      variables
    })
    variables.LINKER_WEBHOOK_SECRET__FEEDSHOP = hub.keys.webhook
    const restartWith = (...adapters: string[]): Promise<void> => hub.restart({ config: { adapters }, variables })
    await restartWith(shopa, mktb, feedshop)
    const world = await openWorld(hub)
    const variantId = await world.list(1001, 5)
    const before = await world.views()
    t.notOk(before.some(({ statusReason }) => statusReason !== null))

    // The shop's job runs; the job that follows needs the marketplace, whose adapter is away.
    await restartWith(shopa)
    hub.shop.setStock(1001, 0, 3)
    const sold = await world.deliver('shop', 'stock.changed', '1001')
    const quantity = await world.waiting(sold, 'marketplace.offerQuantity.update')
    t.match(quantity.problem, { code: 'LNK_ADAPTER_MISSING', message: /mktb\.shopapi\.v1/ })

    await restartWith()
    const [views, listed] = [await world.views(), (await hub.call('GET', '/connections')).json as View[]]
    for (const [index, view] of views.entries()) {
      t.match(view.statusReason, new RegExp(`No adapter ${view.adapterKey} is installed`))
      // Only the adapter knows the defaults of its config.
      const { effectiveConfig, ...left }: Partial<View> = before[index] ?? {}
      t.ok(effectiveConfig)
      t.strictSame(view, { ...left, statusReason: view.statusReason }, 'as the operator left it')
    }
    t.notMatch(JSON.stringify([views, listed]), feedKey)
    const saved = await world.deliver('shop', 'product.saved', '1001')
    const changed = await world.deliver('shop', 'stock.changed', '1001')
    const refreshed = await world.deliver('feed', 'feed.refreshed', '7')
    t.match((await world.waiting(saved, 'master.product.syncByExternalId')).problem, {
      code: 'LNK_ADAPTER_MISSING',
      message: /shopa\.webservice\.v1/
    })
    t.match((await world.waiting(changed, 'shopa.inventory.syncByExternalId')).problem, {
      code: 'LNK_ADAPTER_MISSING',
      message: /shopa\.webservice\.v1/
    })
    t.match((await world.waiting(refreshed, 'feedshop.feed.sync')).problem, {
      code: 'LNK_ADAPTER_MISSING',
      message: /feedshop\.api\.v1/
    })
    t.match(
      await hub.call('POST', '/jobs', { body: { jobType: 'feedshop.feed.sync', connectionId: world.ids.feed } }),
      { status: 500, json: { code: 'LNK_ADAPTER_MISSING' } }
    )
    hub.shop.setStock(1001, 0, 2)

    await restartWith(shopa, mktb, feedshop)
    // Without this, the jobs wait 30 s before they look again.
    await hub.database().query("update jobs set due_at = now() where state in ('queued', 'returned')")
    const ended = await Promise.all([sold, saved, changed, refreshed].map(requestId => hub.jobsOf(requestId)))
    t.strictSame(
      ended.flat().map(({ status, jobType }) => `${jobType} ${status}`).filter(line => !line.endsWith(' succeeded')),
      []
    )
    t.match(ended[3], [{ jobType: 'feedshop.feed.sync', result: '7', adapter: 'feedshop.api.v1@1.0.0' }])
    // The second reading of the shop's minute may have stood for the event. What follows from it
    // has no request id.
    await eventually('what the shop has now', async () => hub.market.product(variantId)?.stock === 2 ? true : undefined)
    t.strictSame((await world.views()).map(view => ({ ...view })), before)
    t.match((await hub.call('GET', '/jobs?status=dead')).json, { length: 0 })
  })
}
