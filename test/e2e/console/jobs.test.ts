import { generateCatalog } from '@linker/simulators'
import t, { type Test } from 'tap'
import { eventually } from '../../support/api.ts'
import { consoleModes, openConsole } from '../../support/console.ts'
import { buildTestHub } from '../../support/hub.ts'
import type { Mode } from '../../support/modes.ts'

const jobType = 'master.product.syncByExternalId'
const count = 4

for (const mode of consoleModes(process.env)) {
  t.test(`a person finds out why work is stuck, and gets it going again (${mode})`, t => walkJobs(t, mode))
}

async function walkJobs (t: Test, mode: Mode): Promise<void> {
  const hub = await buildTestHub(t, { mode })
  const shopId = await hub.connect('shopa', { name: 'My shop' })
  const products = generateCatalog({ products: count, combinationsEach: 0 })
  for (const product of products) hub.shop.addProduct(product)
  const outage = { method: 'GET', path: /^\/api\/products/, times: Number.POSITIVE_INFINITY, answer: { status: 404 } }
  hub.shop.faults.add(outage)
  const dead: string[] = []
  for (const { id } of products) {
    const { json } = await hub.call('POST', '/jobs', {
      body: { jobType, connectionId: shopId, payload: { externalId: String(id) } }
    })
    const { jobId } = json as { jobId: string }
    t.match(await hub.endOf(jobId), { status: 'dead' })
    dead.push(jobId)
  }
  const [lastDead = ''] = dead.slice(-1)
  const { page, context, visit, inspect } = await openConsole(t, {
    url: hub.url,
    token: hub.keys.admin,
    looks: mode === 'embedded'
  })

  t.test('a group of dead jobs leads to its jobs, and a job to its remedy and report', async t => {
    await visit('/console/jobs')
    await inspect('/console/jobs')
    const group = page.getByRole('table', { name: /run again only when/ })
    await group.getByRole('link', { name: jobType }).click()
    await page.waitForURL(/status=dead/)
    await page.getByRole('table', { name: /newest first/ }).getByRole('link', { name: jobType }).first().click()
    await page.getByRole('heading', { level: 1, name: jobType }).waitFor()
    await page.locator('.remedy strong').waitFor()
    await inspect('/console/jobs/{id} of a dead job')

    t.ok(page.url().endsWith(lastDead), 'the newest job stands first')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy report' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const report = await page.evaluate<string>('navigator.clipboard.readText()')
    t.match(report, `# Job \`${jobType}\`: dead`)
    t.match(report, /\| `GET \/api\/products\S*` \| 404 \|/)
    t.notMatch(report, hub.keys.shop)
  })

  t.test('one job is tried first; it dies again, and the others are left alone', async t => {
    await visit('/console/jobs?view=groups')
    await page.getByRole('button', { name: 'Retry all' }).click()
    const dialog = page.getByRole('dialog', { name: `Run dead jobs again: ${jobType}` })
    await dialog.getByText(`${count} of ${count} jobs would run again`).waitFor()
    await inspect('the plan of a bulk retry')
    await dialog.getByRole('button', { name: 'Try 1 first' }).click()
    await page.waitForURL(/\/console\/redrives\//)
    await page.getByText('The first job died again, so').waitFor()
    await inspect('/console/redrives/{id} after a bad trial')
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('dialog', { name: 'Stop this bulk retry' }).getByRole('button', { name: 'Stop' }).click()
    await page.getByText(`Stopped. ${count - 1} jobs stay dead.`).waitFor()

    t.match((await hub.call('GET', '/redrives')).json, [{ state: 'stopped', retried: 1, deadAgain: 1 }])
  })

  t.test('after the outage the trial succeeds, and the others follow', async t => {
    hub.shop.faults.clear()
    await visit('/console/jobs')
    await page.getByRole('button', { name: 'Retry all' }).click()
    await page.getByRole('button', { name: 'Try 1 first' }).click()
    await page.getByText(`The first job succeeded. ${count - 1} wait for you.`).waitFor()
    await page.getByRole('button', { name: `Retry the other ${count - 1}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: `Retry the other ${count - 1}` }).click()
    await page.getByText(`all ${count} jobs that ran again have ended`).waitFor()
    await inspect('/console/redrives/{id} at its end')
    await visit('/console/jobs?view=redrives')
    await inspect('/console/jobs?view=redrives')

    t.equal(await page.getByRole('table').getByRole('row').count(), 3)
    t.match(await hub.endOf(lastDead), { status: 'succeeded' })
  })

  t.test('work that nobody needs any more is given up, with a reason', async t => {
    hub.shop.faults.add(outage)
    const { json } = await hub.call('POST', '/jobs', {
      body: { jobType, connectionId: shopId, payload: { externalId: '7' } }
    })
    const { jobId } = json as { jobId: string }
    await hub.endOf(jobId)
    await visit('/console/jobs')
    await page.getByRole('button', { name: 'Give up' }).click()
    const dialog = page.getByRole('dialog', { name: `Give up dead jobs: ${jobType}` })
    await dialog.getByLabel('Reason').fill('no longer sold')
    await dialog.getByRole('button', { name: 'Give up' }).click()
    await page.getByText('1 job is cancelled.').waitFor()
    await page.getByText('No job is dead').waitFor()
    await visit(`/console/jobs/${jobId}`)
    await page.getByText('no longer sold').first().waitFor()

    t.match((await hub.call('GET', `/jobs/${jobId}`)).json, {
      status: 'cancelled',
      cancellation: { reason: 'no longer sold' }
    })
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click()
    await page.getByText(/^The job runs again/).waitFor()
    t.match(await hub.endOf(jobId), { status: 'dead' })
  })

  t.test('a delivery leads to its trace, from the shop to the requests, and is replayed', async t => {
    hub.shop.faults.clear()
    const { headers } = await hub.deliver(shopId, {
      eventType: 'stock.changed',
      objectType: 'stock',
      externalId: String(products[0]?.id)
    })
    const deliveryId = String(headers['x-linker-delivery-id'])
    await eventually(
      'the job of the delivery',
      async () => (await hub.call('GET', `/jobs/${deliveryId}`)).status === 200 ? true : undefined
    )
    t.match(await hub.endOf(deliveryId), { status: 'succeeded' })
    await visit('/console/deliveries?eventType=stock.changed')
    await inspect('/console/deliveries')
    await page.getByRole('link', { name: 'stock.changed' }).click()
    await page.getByRole('heading', { level: 1, name: 'stock.changed' }).waitFor()
    await inspect('/console/deliveries/{id}')
    await page.getByRole('link', { name: 'shopa.inventory.syncByExternalId' }).click()
    await page.getByRole('link', { name: 'Trace, step by step' }).click()
    await page.getByRole('heading', { level: 1, name: 'Trace' }).waitFor()
    const steps = page.getByRole('table').getByRole('row')
    await steps.filter({ hasText: 'GET /api/stock_availables' }).first().waitFor()
    await inspect('/console/trace/{requestId}')

    const [, first = '', second = '', third = ''] = await steps.allTextContents()
    t.match(first, /^Delivery accepted/)
    t.match(second, /^Event became a job/)
    t.match(third, /^shopa\.inventory\.syncByExternalId/)
    await page.getByRole('link', { name: 'Delivery accepted' }).click()
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click()
    await page.getByText('The event became a new job.').waitFor()

    t.match((await hub.call('GET', `/webhook-deliveries/${deliveryId}`)).json, { replayCount: 1 })
  })

  t.test('deliveries are replayed by filter, with a plan', async t => {
    await visit('/console/deliveries')
    t.equal(await page.getByRole('button', { name: 'Replay these' }).count(), 0, 'a filter comes first')
    await page.getByLabel('Event').fill('stock.changed')
    await page.getByLabel('Event').press('Enter')
    await page.waitForURL(/eventType=stock\.changed/)
    await page.getByRole('button', { name: 'Replay these' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('None of these deliveries would start a job.').waitFor()
    await dialog.getByLabel('Also those of which a replay succeeded or has not ended').check()
    await inspect('the plan of a replay')
    await dialog.getByRole('button', { name: 'Replay these' }).click()
    await page.getByText('1 delivery is replayed.').waitFor()

    t.match((await hub.call('GET', '/webhook-deliveries?replayed=true')).json, [{ replayCount: 2 }])
  })

  t.test('a new token is shown once, works, and the audit names it', async t => {
    await visit('/console/access')
    await page.getByRole('button', { name: 'New token' }).click()
    await inspect('the form of a new token')
    const dialog = page.getByRole('dialog', { name: 'New token' })
    await dialog.getByLabel('Name').fill('grace')
    await dialog.getByLabel(/^operate/).check()
    await dialog.getByRole('button', { name: 'Create' }).click()
    const token = await page.getByLabel('Token', { exact: true }).innerText()
    await inspect('/console/access with a new token')
    const { status } = await hub.call('POST', `/connections/${shopId}/pause`, {
      body: { reason: 'month end' },
      headers: { authorization: `Bearer ${token}` }
    })
    t.equal(status, 200)
    await page.reload()
    await page.getByText('grace', { exact: true }).waitFor()
    t.equal(await page.getByText(token).count(), 0)
    await page.getByRole('link', { name: 'What it did' }).click()
    await page.getByRole('link', { name: 'connection.pause' }).waitFor()
    await page.locator('ins', { hasText: 'month end' }).waitFor()
    await inspect('/console/audit')

    await visit('/console/access')
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('grace is revoked.').waitFor()
    t.strictSame((await hub.call('GET', '/tokens')).json, [])
  })
}
