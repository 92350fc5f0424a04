import { signWebhook } from '@linker/sdk'
import { sampleProducts, startShopA } from '@linker/simulators'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { makePackedProject, nextShop, packProject } from '../fixtures/packed.ts'
import { packagesInTypes } from '../fixtures/type-imports.ts'
import { createApi, eventually } from '../support/api.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { cheapestMode, openMode } from '../support/modes.ts'
import { ownVersion } from '../support/own-version.ts'

const admin = 'a-token-of-more-than-thirty-two-characters'
const secret = 'the-secret-of-the-shop'

interface Job {
  status: string
  adapter: string | null
  jobType: string
}

t.test('a project of packed packages serves two versions and two keys of one platform at the same time', async t => {
  const apiKey = 'k'.repeat(32)
  const shop = await startShopA({ apiKey, products: sampleProducts })
  t.teardown(() => shop.close())
  const place = await openMode(cheapestMode(process.env), process.env)
  t.teardown(() => place.close())
  const project = await makePackedProject()
  t.teardown(() => project.remove())
  const hub = await startHubProcess(project.directory, {
    ...place.variables,
    ADMIN_TOKEN: admin,
    LINKER_WEBHOOK_SECRET__SHOPA: secret
  }, project.linker)
  t.teardown(() => hub.kill())
  const call = createApi(hub.url, admin)

  const adapters = (await call('GET', '/adapters')).json as {
    adapterKey: string,
    version: string,
    state: string,
    packageName: string
  }[]
  t.strictSame(
    adapters.map(({ adapterKey, version, state, packageName }) => `${adapterKey} ${version} ${state} ${packageName}`)
      .toSorted(),
    [
      `mkta.publicapi.v1 ${ownVersion} ready @linker/adapter-mkta-v1`,
      `mktb.shopapi.v1 ${ownVersion} ready @linker/adapter-mktb-v1`,
      `shopa.webservice.v1 ${ownVersion} ready @linker/adapter-shopa-v1`,
      `shopa.webservice.v1 ${nextShop.version} ready ${nextShop.alias}`,
      'shopa.webservice.v2 2.0.0 ready @linker/adapter-shopa-v2'
    ].toSorted()
  )

  const wanted = [
    { adapterKey: 'shopa.webservice.v1', adapterVersion: ownVersion },
    { adapterKey: 'shopa.webservice.v1', adapterVersion: nextShop.version },
    { adapterKey: 'shopa.webservice.v2', adapterVersion: '2.0.0' }
  ]
  const served = await Promise.all(wanted.map(async pin => {
    const created = await call('POST', '/connections', {
      body: {
        name: 'A shop',
        platformType: 'shopa',
        credentials: { apiUrl: shop.apiUrl, apiKey },
        // The simulator has one shop.
        allowSameAccount: true,
        ...pin
      }
    })
    t.match(created.json, pin)
    const connectionId = (created.json as { id: string }).id
    const requestId = randomUUID()
    const body = JSON.stringify({
      schemaVersion: 1,
      eventId: randomUUID(),
      eventType: 'stock.changed',
      occurredAt: new Date().toISOString(),
      object: { type: 'stock', externalId: '27' }
    })
    const timestamp = String(Date.now())
    const accepted = await createApi(hub.url, '')('POST', `/webhooks/shopa/${connectionId}`, {
      body,
      headers: {
        'x-request-id': requestId,
        'x-linker-timestamp': timestamp,
        'x-linker-signature': signWebhook(secret, timestamp, body)
      }
    })
    t.equal(accepted.status, 202)
    return eventually(
      'the job of the shop',
      async () =>
        ((await call('GET', `/jobs?requestId=${requestId}`)).json as Job[])
          .find(({ jobType, status }) => jobType === 'shopa.inventory.syncByExternalId' && status === 'succeeded')
    )
  }))
  t.strictSame(
    served.map(({ adapter }) => adapter),
    wanted.map(({ adapterKey, adapterVersion }) => `${adapterKey}@${adapterVersion}`),
    'the job records say which'
  )
  t.equal(await hub.stop(), 0)
})

t.test('the types of the SDK and the adapters name only packages that npm installs with them', async t => {
  const project = await packProject()
  t.teardown(() => project.remove())

  for (const name of ['sdk', 'adapter-shopa-v1', 'adapter-mkta-v1', 'adapter-mktb-v1']) {
    const directory = join(project.directory, 'node_modules', '@linker', name)
    const { dependencies, peerDependencies } = JSON
      .parse(await readFile(join(directory, 'package.json'), 'utf8')) as Record<
        string,
        Record<string, string> | undefined
      >
    const installed = Object.keys({ ...dependencies, ...peerDependencies })
    const named = await packagesInTypes(directory)

    t.ok(named.includes('@sinclair/typebox'), `${name}: the imports are found`)
    t.strictSame(named.filter(found => !found.startsWith('node:') && !installed.includes(found)), [], name)
  }
})
