import { contractVersion, signWebhook } from '@linker/sdk'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { ownModules } from '../fixtures/modules.ts'
import { createApi, eventually } from '../support/api.ts'
import { openProject } from '../support/command.ts'
import { runLinker, startHubProcess } from '../support/hub-process.ts'
import { cheapestMode, openMode } from '../support/modes.ts'
import { repository } from '../support/project.ts'

// The adapter in `packages-before` was compiled against the SDK that came before `webhooks.verify`
// and `webhooks.source`, and packed by npm. `sdk.tar.gz` beside it is the main entry of that SDK.

const run = promisify(execFile)
const admin = 'a-token-of-more-than-thirty-two-characters'
const secret = 'the-secret-of-the-shop'
const apiKey = 'made-up-key-0123456789-abcdef'
// The names of the two installations. A folder of the scope of the adapter would be one of the
// repository, which the project links.
const withSdkOfHub = 'feedshop-before'
const withSdkOfItsOwn = 'feedshop-before-next'

async function unpack (name: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const tarball = join(repository, `test/fixtures/packages-before/${name}.tar.gz`)
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'])
}

/**
 * Installs the adapter twice: once as npm does where the SDK of the hub is in its range, and once
 * as a later version beside its own SDK, as npm does where it is not.
 */
async function openInstalled (t: Test): Promise<{ directory: string, folders: string[] }> {
  const directory = await openProject(t, {
    adapters: [withSdkOfHub, withSdkOfItsOwn],
    outbound: { allow: ['127.0.0.0/8'] }
  })
  const modules = await ownModules(directory)
  const folders = [withSdkOfHub, withSdkOfItsOwn].map(name => join(modules, name))
  for (const folder of folders) await unpack('adapter-feedshop-v1', folder)
  const [, own = ''] = folders
  await unpack('sdk', join(own, 'node_modules/@linker/sdk'))
  const manifest = JSON.parse(await readFile(join(own, 'package.json'), 'utf8')) as object
  await writeFile(join(own, 'package.json'), JSON.stringify({ ...manifest, version: '1.1.0' }))
  return { directory, folders }
}

/** The shop of the adapter. Article 2 has no title, which the adapter refuses. */
async function startShop (t: Test): Promise<string> {
  const articles = ['Mug', ''].map((title, index) => ({
    id: String(index + 1),
    title,
    isOnSale: true,
    price: '9.99',
    currency: 'EUR',
    stock: 5
  }))
  const server = createServer(({ url = '', headers }, response) => {
    const { pathname } = new URL(url, 'http://shop')
    const answers: Record<string, object> = { '/account': { name: 'Test' }, '/articles': { articles } }
    const answer = answers[pathname] ?? articles.find(({ id }) => pathname === `/articles/${id}`)
    const isKnown = headers.authorization === `Bearer ${apiKey}`
    response.writeHead(isKnown ? answer === undefined ? 404 : 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? {}))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Job {
  jobType: string
  status: string
  adapter: string | null
  result?: unknown
  problem?: { code: string, message: string }
}

t.test('an adapter that was built against an earlier SDK passes the suite, but for its account', async t => {
  const { directory, folders: [folder = ''] } = await openInstalled(t)
  const { stdout } = await runLinker(['conformance', folder, '--json'], directory)
  const { checks } = JSON.parse(stdout) as { checks: { id: string, status: string }[] }

  t.ok(checks.filter(({ status }) => status === 'passed').length > 50)
  // The suite of a later contract asks for its own range; everything else still holds.
  const ofRanges = contractVersion.startsWith('0.1.') ? [] : ['L1-MAN-03', 'L1-MAN-04']
  // It was built before adapters told their account.
  t.strictSame(checks.filter(({ status }) => status === 'failed').map(({ id }) => id), [...ofRanges, 'L1-SHP-13'])
})

t.test('it loads and serves, with the SDK of the hub and with its own', async t => {
  const baseUrl = await startShop(t)
  const { directory } = await openInstalled(t)
  const place = await openMode(cheapestMode(process.env), process.env)
  t.teardown(() => place.close())
  const hub = await startHubProcess(directory, {
    ...place.variables,
    ADMIN_TOKEN: admin,
    LINKER_WEBHOOK_SECRET__FEEDSHOP: secret
  })
  t.teardown(() => hub.kill())
  const call = createApi(hub.url, admin)

  async function deliver (connectionId: string, externalId: string): Promise<Job> {
    const requestId = randomUUID()
    const body = JSON.stringify({
      schemaVersion: 1,
      eventId: randomUUID(),
      eventType: 'stock.changed',
      occurredAt: new Date().toISOString(),
      object: { type: 'stock', externalId }
    })
    const timestamp = String(Date.now())
    const accepted = await createApi(hub.url, '')('POST', `/webhooks/feedshop/${connectionId}`, {
      body,
      headers: {
        'x-request-id': requestId,
        'x-linker-timestamp': timestamp,
        'x-linker-signature': signWebhook(secret, timestamp, body)
      }
    })
    t.equal(accepted.status, 202)
    return eventually(
      'the job of the event',
      async () =>
        ((await call('GET', `/jobs?requestId=${requestId}`)).json as Job[])
          .find(({ jobType, status }) => jobType === 'feedshop.stock.refresh' && ['succeeded', 'dead'].includes(status))
    )
  }

  for (const adapterVersion of ['1.0.0', '1.1.0']) {
    const created = await call('POST', '/connections', {
      body: {
        name: adapterVersion,
        platformType: 'feedshop',
        adapterVersion,
        config: { baseUrl },
        credentials: { apiKey }
      }
    })
    const { id } = created.json as { id: string }
    t.equal(created.status, 201)
    t.match(await call('POST', `/connections/${id}/test`), { status: 200 })
    t.match(await deliver(id, '1'), {
      status: 'succeeded',
      adapter: `feedshop.api.v1@${adapterVersion}`,
      result: { quantity: 5 }
    })
    // The hub knows the errors of every copy of the SDK by their codes.
    t.match(await deliver(id, '2'), { status: 'dead', problem: { message: /article 2 has no title/ } })
    t.match(await deliver(id, '9'), { status: 'dead', problem: { code: /NOT_FOUND/ } })
  }
  t.match(
    (await call('GET', '/adapters')).json,
    [{ version: '1.0.0', state: 'ready' }, { version: '1.1.0', state: 'ready' }]
  )
  t.equal(await hub.stop(), 0)
})
