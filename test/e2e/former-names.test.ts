import { randomUUID } from 'node:crypto'
import t from 'tap'
import { buildTestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import type { ForeignPackage } from '../support/project.ts'

const name = '@acme/adapter-former-v1'

/** A marketplace that was built when `updateOfferQuantity` was called `updateStock`. */
const former: ForeignPackage = {
  manifest: {
    name,
    version: '1.0.0',
    engines: { linker: '^0.1.0' },
    linker: {
      adapterKey: 'former.api.v1',
      platformType: 'former',
      displayName: 'Former',
      capabilities: ['OfferManager']
    }
  },
  source: `
    import { defineAdapter } from '@linker/sdk'
    const done = { applied: ['stock'], frozen: [] }
    export default defineAdapter({
      config: { type: 'object' },
      credentials: { type: 'null' },
      connect: context => context,
      account: async () => undefined,
      capabilities: {
        OfferManager: ({ log }) => ({
          createOffer: async () => undefined,
          updateOffer: async () => done,
          async updateStock (externalId, quantity) {
            log.info({ externalId, quantity }, 'written by its former name')
            return done
          },
          getOffer: async externalId => ({ externalId, status: 'ACTIVE', frozenFields: [], problems: [] })
        })
      }
    })`
}

t.test('an adapter with the former name of a method serves, and the operator is warned', async t => {
  const hub = await buildTestHub(t, {
    mode: cheapestMode(process.env),
    packages: [former],
    config: { adapters: [name, '@linker/adapter-shopa-v1'] }
  })
  const shopId = await hub.connect('shopa')
  const created = await hub.call('POST', '/connections', { body: { name: 'Former', platformType: 'former' } })
  const { id: connectionId } = created.json as { id: string }
  const job = { jobType: 'master.inventory.syncByExternalId', connectionId: shopId, payload: { externalId: '27' } }
  await hub.jobsOf((await hub.call('POST', '/jobs', { body: job })).headers['x-request-id'] as string)
  const [product] = (await hub.call('GET', `/products?connectionId=${shopId}&externalId=27`)).json as {
    variants: { id: string }[]
  }[]
  const requestId = randomUUID()

  const linked = await hub.call('POST', '/offers/link', {
    body: { connectionId, variantId: product?.variants[0]?.id, externalId: 'offer-1' },
    headers: { 'x-request-id': requestId }
  })
  const jobs = await hub.jobsOf(requestId)
  const adapters = (await hub.call('GET', '/adapters')).json as {
    packageName: string,
    state: string,
    warning?: string,
    features: Record<string, string[]>
  }[]
  const shown = adapters.find(({ packageName }) => packageName === name)

  t.equal(linked.status, 201)
  t.match(jobs.find(({ jobType }) => jobType === 'marketplace.offerQuantity.update'), {
    status: 'succeeded',
    result: { applied: ['stock'] }
  })
  t.ok(hub.log.some(line => line.includes('written by its former name') && line.includes('"externalId":"offer-1"')))
  t.match(shown, { state: 'ready', warning: /^former\.api\.v1@1\.0\.0: OfferManager\.updateStock is deprecated/ })
  t.ok(shown?.features.OfferManager?.includes('updateOfferQuantity'))
  t.notOk(shown?.features.OfferManager?.includes('updateStock'))
})
