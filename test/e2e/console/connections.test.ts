import { startMktA } from '@linker/simulators'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { installShopaVersions, shopaPackages } from '../../fixtures/shopa-versions.ts'
import { consoleModes, openConsole } from '../../support/console.ts'
import { freePort } from '../../support/free-port.ts'
import { buildTestHub } from '../../support/hub.ts'
import { callbackPath, makeApplication } from '../../support/marketplace-a.ts'
import type { Mode } from '../../support/modes.ts'

const versions = ['0.2.0', '0.3.0-rc.1'] as const

for (const mode of consoleModes(process.env)) {
  t.test(`an operator connects accounts, moves one, and finds out why nothing arrives (${mode})`, t =>
    walkConnections(t, mode))
}

async function walkConnections (t: Test, mode: Mode): Promise<void> {
  const [webPort, restPort] = [await freePort(), await freePort()]
  const { clientId, clientSecret } = makeApplication('')
  const hub = await buildTestHub(t, {
    mode,
    install: directory => installShopaVersions(directory, versions),
    config: { adapters: [...shopaPackages(versions), '@linker/adapter-mktb-v1', '@linker/adapter-mkta-v1'] },
    platforms: {
      mkta: {
        sandbox: {
          webBaseUrl: `http://127.0.0.1:${webPort}`,
          restBaseUrl: `http://127.0.0.1:${restPort}`,
          clients: { [clientId]: clientSecret }
        }
      }
    }
  })
  const redirectUri = hub.url + callbackPath
  const market = await startMktA({ application: { clientId, clientSecret, redirectUri }, webPort, restPort })
  t.teardown(() => market.close())
  market.consent.decision = 'ask'
  const { page, visit, inspect, forget } = await openConsole(t, {
    url: hub.url,
    token: hub.keys.admin,
    looks: mode === 'embedded'
  })
  const dialog = page.getByRole('dialog')
  const toast = page.locator('output.toast')
  let shop = ''

  await t.test('the shop is connected by its form, until its test event has arrived', async t => {
    await visit('/console/connections')
    await inspect('no connection')
    await page.getByRole('link', { name: 'New connection' }).click()
    await page.getByRole('link', { name: /Shop A/ }).click()
    await page.getByRole('heading', { name: 'Connect Shop A' }).waitFor()
    await page.getByLabel('Adapter').selectOption('shopa.webservice.v1@0.1.0')
    await page.getByLabel('Address of the webservice').waitFor()
    await inspect('the form of a new connection')

    await page.getByLabel('Name', { exact: true }).fill('Our shop')
    await page.getByLabel('Address of the webservice').fill('not an address')
    await page.getByText(/^Address of the webservice must match/).waitFor()
    await page.getByLabel('Address of the webservice').fill(hub.shop.apiUrl)
    await page.getByLabel('Webservice key').fill('0'.repeat(32))
    await page.getByText('Optional settings').last().click()
    await page.getByLabel('Set gross prices').check()
    await page.getByLabel('Country of the tax').fill('Poland')
    await page.getByText(/^Country of the tax must match/).waitFor()
    await page.getByLabel('Country of the tax').fill('PL')
    await page.getByLabel('Currency').fill('PLN')
    await page.getByLabel('Confirm a jump of stock').fill('500')
    await page.getByText('The settings fit.').waitFor()
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('The test failed').waitFor()
    await inspect('a test that failed')

    await page.getByLabel('Webservice key').fill(hub.keys.shop)
    await page.getByText('The settings fit.').waitFor()
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('The test succeeded').waitFor()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { name: 'Our shop' }).waitFor()
    shop = idIn(page)
    await page.getByRole('button', { name: 'Install webhooks' }).click()
    await dialog.getByRole('button', { name: 'Install' }).click()
    await page.getByRole('link', { name: 'test.ping' }).first().waitFor()
    await inspect('webhooks that arrive')

    const { json } = await hub.call('GET', `/connections/${shop}`)
    t.match(json, {
      name: 'Our shop',
      adapterVersion: '0.1.0',
      config: { prices: { country: 'PL', currency: 'PLN' }, callbackBaseUrl: hub.url }
    })
  })

  await t.test('an account of a marketplace is connected by an authorisation', async t => {
    await visit('/console/connections/new/mkta')
    await inspect('the form of an authorisation')
    await page.getByLabel('Client ID').fill(clientId)
    await page.getByLabel('Client secret').fill(clientSecret)
    await page.getByRole('radio', { name: 'sandbox' }).check()
    await page.getByLabel('Connection name').fill('Our account')
    await page.getByRole('button', { name: 'Authorise' }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'Our account' }).waitFor()
    await page.getByText('The account is authorised.').waitFor()
    await inspect('an authorised account')

    const { json } = await hub.call('GET', `/connections/${idIn(page)}`)
    t.match(json, { name: 'Our account', platformType: 'mkta', status: 'active' })
    // The page of the marketplace is the one address of another origin that the browser may open.
    forget(new RegExp(`^a request to ${market.web.url}`))
  })

  await t.test('an account whose token has ended is authorised again, and its jobs go on', async t => {
    const id = idIn(page)
    market.revokeTokens()
    const { json } = await hub.call('POST', `/connections/${id}/test`)
    t.match(json, { success: false })
    const { jobId } = (await hub.call('POST', '/jobs', {
      body: { jobType: 'marketplace.orders.poll', connectionId: id, payload: {} }
    })).json as { jobId: string }
    await visit('/console/')
    await page.getByRole('link', { name: 'Correct the credentials' }).click()
    await page.getByLabel('Client ID').fill(clientId)
    await page.getByLabel('Client secret').fill(clientSecret)
    await inspect('an account to authorise again')
    await page.getByRole('button', { name: 'Authorise', exact: true }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('The account is authorised.').waitFor()
    forget(new RegExp(`^a request to ${market.web.url}`))

    t.equal((await hub.endOf(jobId)).status, 'succeeded')
    t.match((await hub.call('GET', `/connections/${id}`)).json, { status: 'active' })
    await visit('/console/')
    // The hub looks every 15 s, and the item goes by itself.
    await page.getByRole('link', { name: 'Correct the credentials' }).waitFor({ state: 'detached' })
  })

  await t.test('a connection moves to another version after a preview, and back', async t => {
    await visit(`/console/connections/${shop}/adapter`)
    await inspect('the installed versions')
    const row = page.getByRole('row', { name: /0\.3\.0-rc\.1/ })
    await row.getByRole('button', { name: 'Move…' }).click()
    await dialog.getByText('Loses the capability ProductMaster.').waitFor()
    const move = dialog.getByRole('button', { name: 'Move', exact: true })
    t.equal(await move.isDisabled(), true, 'a loss needs an agreement')
    await inspect('the preview of a move')
    await dialog.getByRole('checkbox').check()
    await move.click()
    await toast.getByText(/0\.3\.0-rc\.1/).waitFor()
    await page.getByRole('heading', { name: 'Since the move' }).waitFor()
    t.match((await hub.call('GET', `/connections/${shop}`)).json, { adapterVersion: '0.3.0-rc.1' })

    await page.getByRole('button', { name: 'Roll back…' }).click()
    await dialog.getByText('Gains the capability ProductMaster.').waitFor()
    await dialog.getByRole('button', { name: 'Roll back', exact: true }).click()
    await toast.getByText(/0\.1\.0 again/).waitFor()
    await inspect('a move that was rolled back')
    t.match((await hub.call('GET', `/connections/${shop}`)).json, { adapterVersion: '0.1.0' })
  })

  await t.test('refused webhooks have their remedy, and a test event arrives', async t => {
    const { status } = await hub.call('POST', `/webhooks/shopa/${shop}`, { body: { not: 'signed' } })
    await visit(`/console/connections/${shop}/webhooks`)
    await page.getByRole('button', { name: 'Send test event' }).click()
    await toast.getByText('A test event for “Our shop” arrived').waitFor()
    await page.getByText('1 refused').waitFor()
    await page.getByText('Remedy:').waitFor()
    await inspect('refused webhooks')

    t.ok(status >= 400)
    const [refusal] = (await hub.call('GET', `/connections/${shop}/webhooks/refusals`)).json as { code: string }[]
    t.equal(await page.getByText(refusal?.code ?? 'none', { exact: true }).count(), 1)
  })

  await t.test('a pause with a reason holds the connection until it is resumed', async t => {
    await visit(`/console/connections/${shop}`)
    await inspect('the overview of a connection')
    await page.getByRole('button', { name: 'Pause' }).click()
    await dialog.getByLabel('Reason').fill('The shop moves to another server')
    await dialog.getByRole('button', { name: 'Pause' }).click()
    await page.getByText(/The shop moves to another server/).first().waitFor()
    const paused = (await hub.call('GET', `/connections/${shop}`)).json as { pauses: object[] }
    await page.getByRole('button', { name: 'Resume' }).click()
    await toast.getByText(/goes on/).waitFor()
    const resumed = (await hub.call('GET', `/connections/${shop}`)).json as { pauses: object[] }

    t.match(paused.pauses, [{ capability: null, reason: 'The shop moves to another server' }])
    t.strictSame(resumed.pauses, [])
  })

  await t.test('a change of the settings does not undo that of a colleague', async t => {
    await visit(`/console/connections/${shop}/settings`)
    await inspect('the settings')
    await page.getByLabel('Read orders again for').fill('400')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/^Read orders again for must be <= 365/).waitFor()
    forget(/400/)
    await page.getByLabel('Read orders again for').fill('30')
    await page.getByLabel('Country of the tax').fill('CZ')
    await page.getByText('Your changes').waitFor()
    await hub.call('PATCH', `/connections/${shop}`, { body: { config: { prices: { currency: 'CZK' } } } })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Somebody else has changed this connection').waitFor()
    await inspect('two versions of the settings')
    await page.getByRole('button', { name: 'Save my changes on top' }).click()
    await toast.getByText(/are saved/).waitFor()

    const { json } = await hub.call('GET', `/connections/${shop}`)
    t.match(json, { config: { prices: { country: 'CZ', currency: 'CZK' } } })
    t.strictSame((json as { settings: object }).settings, { confirmStockJump: 500, orderPollDays: 30 })
    // The browser logs the refusal of the outdated version.
    forget(/412/)
  })

  await t.test('a second connection to an account is made only when somebody wants it', async t => {
    await visit('/console/connections/new/shopa')
    await page.getByLabel('Name', { exact: true }).fill('Second shop')
    await page.getByLabel('Address of the webservice').fill(hub.shop.apiUrl)
    await page.getByLabel('Webservice key').fill(hub.keys.shop)
    await page.getByText('The settings fit.').waitFor()
    await page.getByRole('button', { name: 'Create without a test' }).click()
    await page.getByText(/'Our shop' \([-\w]+\) opens this account already/).waitFor()
    await inspect('an account that is connected already')
    await page.getByLabel(/Create it beside the other connection/).check()
    await page.getByRole('button', { name: 'Create without a test' }).click()
    await page.getByRole('heading', { name: 'Second shop' }).waitFor()
    const second = idIn(page)
    await visit(`/console/connections/${second}`)
    await page.getByText(/Another connection opens the same account and takes its orders/).waitFor()

    t.match((await hub.call('GET', `/connections/${second}`)).json, { account: { takesOrders: false } })
    forget(/409/)
  })

  await t.test('a connection takes over a deleted one to its account', async t => {
    const former = await hub.connect('mktb', { name: 'Old market' })
    await hub.call('PATCH', `/connections/${former}/disable`)
    await hub.call('DELETE', `/connections/${former}`)
    const id = await hub.connect('mktb', { name: 'New market' })
    await visit(`/console/connections/${id}`)
    await page.getByText(/“Old market”, deleted .*, opened the same account/).waitFor()
    await inspect('a connection that can take over')
    await page.getByRole('button', { name: 'Take over “Old market”…' }).click()
    await dialog.getByRole('button', { name: 'Take over' }).click()
    await toast.getByText('There was nothing left to take over.').waitFor()
    await page.getByText(/opened the same account/).waitFor({ state: 'detached' })

    t.match((await hub.call('GET', `/connections/${id}`)).json, { ordersSince: null })
    await hub.call('PATCH', `/connections/${id}/disable`)
    await hub.call('DELETE', `/connections/${id}`)
  })

  await t.test('the other pages are sound', async () => {
    const id = await hub.connect('mktb', { name: 'Marketplace', config: { callbackBaseUrl: hub.url } })
    for (const path of ['schedules', 'routing']) {
      await visit(`/console/connections/${id}/${path}`)
      await inspect(path)
    }
    await visit('/console/connections')
    await inspect('the list of connections')
    await visit('/console/adapters')
    await page.getByRole('link', { name: 'Shop A' }).first().click()
    await page.getByRole('heading', { name: 'May do' }).waitFor()
    await inspect('an adapter')
  })
}

function idIn (page: Page): string {
  return new URL(page.url()).pathname.split('/')[3] ?? ''
}
