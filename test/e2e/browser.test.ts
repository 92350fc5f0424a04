import { startMktA } from '@linker/simulators'
import t from 'tap'
import { createApi } from '../support/api.ts'
import { startBrowser } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { callbackPath, makeApplication, platformOf } from '../support/marketplace-a.ts'
import { makeProject } from '../support/project.ts'

t.test('the description of the API is a page that brings all it needs', async t => {
  const secret = 'the secret of the webhooks'
  const { directory, remove } = await makeProject({})
  t.teardown(remove)
  const hub = await startHubProcess(directory, { ADMIN_TOKEN: 'a'.repeat(64), LINKER_WEBHOOK_SECRET__SHOPA: secret })
  t.teardown(() => hub.stop())
  const { json } = await createApi(hub.url, 'a'.repeat(64))('POST', '/connections', {
    body: { name: 'Our shop', platformType: 'shopa', config: {}, credentials: { apiUrl: hub.url, apiKey: 'k' } }
  })
  const browser = await startBrowser(process.env)
  t.teardown(() => browser.close())
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', error => {
    complaints.push(error.message)
  })

  const answer = await page.goto(`${hub.url}/api/docs#/webhooks/testWebhook`)
  await page.getByText('Request body').first().waitFor()

  t.match(answer?.headers()['content-security-policy'], /^default-src 'none'; .*frame-ancestors 'none'/)
  t.equal(await page.title(), 'Linker API')

  await page.getByLabel('Webhook secret').fill(secret)
  const operation = page.locator('#operations-webhooks-testWebhook')
  await operation.getByRole('button', { name: 'Try it out' }).click()
  await operation.getByPlaceholder('provider').fill('shopa')
  await operation.getByPlaceholder('connectionId').fill((json as { id: string }).id)
  const [verdict] = await Promise.all([
    page.waitForResponse(response => response.url().endsWith('/test')),
    operation.getByRole('button', { name: 'Execute' }).click()
  ])

  t.match(await verdict.json(), { ok: true }, 'a delivery that a person tries out is signed')
  t.notMatch(await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])'), secret)
  t.strictSame(complaints, [])
})

t.test('a seller connects an account in a browser', async t => {
  const port = await freePort()
  const application = makeApplication(`http://localhost:${port}${callbackPath}`)
  const market = await startMktA({ application })
  t.teardown(() => market.close())
  market.consent.decision = 'ask'
  const { directory, remove } = await makeProject({ platforms: platformOf(market, application) })
  t.teardown(remove)
  const hub = await startHubProcess(directory, { PORT: String(port), ADMIN_TOKEN: 'a'.repeat(64) })
  t.teardown(() => hub.stop())
  const call = createApi(hub.url, 'a'.repeat(64))
  const browser = await startBrowser(process.env)
  t.teardown(() => browser.close())

  async function begin (): Promise<string> {
    const { json } = await call('POST', '/integrations/mkta/oauth/connect', {
      body: { ...application, environment: 'sandbox', connectionName: 'Our shop' }
    })
    return (json as { authorizationUrl: string }).authorizationUrl
  }

  await t.test('and ends on the answer of the hub, again when the page is loaded again', async t => {
    const page = await browser.newPage()
    await page.goto(await begin())
    t.match(await page.textContent('body'), 'seller_login')
    const [ended] = await Promise.all([
      page.waitForResponse(response => response.url().includes(callbackPath)),
      page.getByRole('button', { name: 'Allow' }).click()
    ])
    const answer = await ended.json() as { connectionId: string, connectionName: string }
    const reloaded = await page.reload()
    const connections = (await call('GET', '/connections')).json as { id: string }[]

    t.equal(ended.status(), 200)
    t.equal(answer.connectionName, 'Our shop')
    t.strictSame(await reloaded?.json(), answer)
    t.strictSame(connections.map(({ id }) => id), [answer.connectionId])
    await page.close()
  })

  await t.test('and may refuse', async t => {
    const page = await browser.newPage()
    await page.goto(await begin())
    const [ended] = await Promise.all([
      page.waitForResponse(response => response.url().includes(callbackPath)),
      page.getByRole('button', { name: 'Deny' }).click()
    ])

    t.equal(ended.status(), 400)
    t.match(await ended.json(), { detail: /access_denied/ })
    t.equal(((await call('GET', '/connections')).json as unknown[]).length, 1)
    await page.close()
  })
})
