import t, { type Test } from 'tap'
import { eventually } from '../../support/api.ts'
import { consoleModes, openConsole } from '../../support/console.ts'
import type { Mode } from '../../support/modes.ts'
import { openShopAndMarket } from '../../support/shop-and-market.ts'

const combinationOfBlue = 102

for (const mode of consoleModes(process.env)) {
  t.test(`an operator trades without a terminal (${mode})`, t => walkTrade(t, mode))
}

async function walkTrade (t: Test, mode: Mode): Promise<void> {
  const { hub, shopId, marketId, offer, poll, settle, order, orderWhen, stock } = await openShopAndMarket(t, {
    mode
  })
  const [linked] = (await hub.call('GET', '/offers')).json as { id: string }[]
  const { page, visit, inspect, forget } = await openConsole(t, {
    url: hub.url,
    token: hub.keys.admin,
    looks: mode === 'embedded'
  })
  const main = page.getByRole('main')
  // A part of a page that fades in has too little contrast for a moment.
  const loaded = () => page.locator('main:not(:has(.loading))').waitFor()

  await t.test('finds out why an offer shows its quantity', async t => {
    await page.getByLabel('Search by id').fill('SKU-27-R')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Verdict' }).waitFor()

    t.equal(new URL(page.url()).pathname, `/console/offers/${linked?.id}`)
    const steps = await main.locator('.chain h3').allTextContents()
    t.strictSame(steps, ['Shop has', 'After reservations', 'After limits', 'Wanted', 'Written', 'Shown'])
    await loaded()
    await inspect('an offer')

    await main.getByRole('button', { name: 'Limits' }).first().click()
    await page.getByLabel('Buffer').fill('x')
    t.ok(await page.getByRole('button', { name: 'Change the limits' }).isDisabled())
    await page.getByLabel('Buffer').fill('3')
    await inspect('the limits of an offer')
    await page.getByRole('button', { name: 'Change the limits' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await settle()
    t.equal(stock().market, 17)
    await main.locator('.chain').getByText('held back').waitFor()

    await main.locator('.chain').getByRole('link', { name: /^job/ }).click()
    await page.waitForURL(/\/console\/jobs\//)
  })

  await t.test('lists offers, and links one without a variant', async t => {
    hub.market.addProduct('A-1', { stock: 4 })
    hub.market.addProduct('SKU-28', { stock: 4, ean: '5901234123457' })
    await hub.call('POST', '/stock/reconcile', { body: { connectionId: marketId } })
    await settle()

    await visit('/console/offers?warning=oversell')
    await main.getByText('No linked offer meets this filter.').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await main.getByRole('link', { name: 'Mug Red', exact: true }).waitFor()
    await loaded()
    await inspect('the linked offers')

    await page.getByRole('link', { name: 'Unlinked' }).click()
    const row = main.getByRole('row').filter({ hasText: 'A-1' })
    await row.getByRole('button', { name: 'Link' }).click()
    const dialog = page.getByRole('dialog', { name: 'Link the offer' })
    await dialog.getByLabel('Search variants').fill('Mug')
    await dialog.getByRole('radio', { name: /Mug Blue/ }).check()
    await inspect('the dialog that links an offer')
    await dialog.getByRole('button', { name: 'Link', exact: true }).click()
    await page.getByText('The offer follows the stock of Mug Blue').waitFor()
    await settle()
    t.equal(hub.market.product('A-1')?.stock, hub.shop.stockOf(27, combinationOfBlue))
    await loaded()
    await inspect('the unlinked offers')
  })

  await t.test('follows an offer when its link changes', async t => {
    const [known] = (await hub.call('GET', '/offers?externalId=A-1')).json as { id: string }[]
    await visit(`/console/offers/${known?.id}`)
    await main.getByRole('button', { name: 'Unlink' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click()
    await page.waitForURL(/view=unlinked/)
    await main.getByRole('link', { name: 'A-1' }).click()
    await main.getByRole('region', { name: 'Verdict' }).getByText('not linked', { exact: true }).waitFor()
    await loaded()
    await inspect('an unlinked offer')

    await main.getByRole('button', { name: 'Link' }).click()
    const dialog = page.getByRole('dialog', { name: 'Link the offer' })
    await dialog.getByLabel('Search variants').fill('SKU-27-B')
    await dialog.getByRole('radio', { name: /Mug Blue/ }).check()
    await dialog.getByRole('button', { name: 'Link', exact: true }).click()
    await main.getByRole('button', { name: 'Unlink' }).waitFor()
    const [linkedAgain] = (await hub.call('GET', '/offers?externalId=A-1')).json as { id: string }[]
    t.equal(new URL(page.url()).pathname, `/console/offers/${linkedAgain?.id}`)
    await settle()
  })

  await t.test('changes a price much only when the person confirms old and new', async t => {
    const [known] = (await hub.call('GET', '/offers?externalId=A-1')).json as {
      id: string,
      price: { amount: string }
    }[]
    await visit(`/console/offers/${known?.id}`)
    await main.getByRole('button', { name: 'Change', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Change the offer' })
    await dialog.getByLabel('Price').fill('9999 PLN')
    await dialog.getByRole('button', { name: 'Change', exact: true }).click()
    await dialog.getByText(/^The price of the offer changes from .* to 9999 PLN/).waitFor()
    await inspect('a price that changes much')
    t.ok(await dialog.getByRole('button', { name: 'Change', exact: true }).isDisabled())
    await dialog.getByLabel(/^Change the price from .* to 9999 PLN$/).check()
    await dialog.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByText('The hub changes the offer at the marketplace').waitFor()
    // The browser logs the question of the hub.
    forget(/409/)
    await settle()
  })

  await t.test('links the offer of a stuck order, which then goes on by itself', async t => {
    hub.market.addProduct('A-2', { stock: 4 })
    const placed = hub.market.placeOrder({ lines: [{ externalId: 'A-2', quantity: 1 }] })
    await poll()
    const { id } = await orderWhen(placed, 'awaiting_mapping')

    await visit('/console/orders?status=awaiting_mapping')
    await main.getByRole('link', { name: placed }).click()
    await main.getByText('no variant', { exact: true }).waitFor()
    await loaded()
    await inspect('an order that waits for a variant')
    await main.getByRole('button', { name: 'Link' }).click()
    const dialog = page.getByRole('dialog', { name: 'Link the offer' })
    await dialog.getByLabel('Search variants').fill('SKU-27-B')
    await dialog.getByRole('radio', { name: /Mug Blue/ }).check()
    await dialog.getByRole('button', { name: 'Link', exact: true }).click()
    await orderWhen(placed, 'created')
    await main.getByRole('list', { name: 'Way of the order' }).locator('[aria-current]')
      .getByText('created', { exact: true }).waitFor()
    t.equal((await order(placed)).id, id)
  })

  await t.test('retries a failed order', async t => {
    hub.shop.faults.add({ method: 'POST', path: '/index.php', answer: { status: 400, body: { error: 'not now' } } })
    const placed = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 1 }] })
    await poll()
    await orderWhen(placed, 'failed')

    await visit('/console/orders?problem=any')
    await inspect('the orders with a problem')
    await page.getByRole('button', { name: 'Retry all' }).click()
    await page.getByRole('dialog').getByText('1 would be retried').waitFor()
    await inspect('the plan of a bulk retry')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await main.getByRole('link', { name: placed }).click()
    await main.getByText('It waits for a person').waitFor()
    await loaded()
    await inspect('a failed order')
    await main.getByRole('button', { name: 'Retry' }).click()
    await orderWhen(placed, 'created')
    await main.getByText('Show the data of the buyer').click()
    await main.getByText('Delivered to').waitFor()
    t.equal(await main.getByRole('button', { name: 'Remove the data' }).count(), 0)
  })

  await t.test('repairs drift after a comparison', async t => {
    await settle()
    // The row changes in the database alone, as if an event of the shop had been lost.
    await hub.database().query('update stock set quantity = quantity + 5 where variant_id = $1', [offer])

    await visit('/console/stock')
    await inspect('the stock')
    await main.getByRole('link', { name: 'Drift' }).click()
    await main.getByRole('link', { name: 'Mug Red' }).waitFor()
    await main.getByLabel(/^Connection/).selectOption(shopId)
    await main.getByRole('button', { name: 'Compare' }).click()
    await main.getByText('2 would change').waitFor()
    await inspect('a comparison')
    await main.getByRole('button', { name: 'Repair' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Repair' }).click()
    await page.getByText('The comparison runs').waitFor()
    await settle()
    await main.getByText('Every offer was written').waitFor()
    t.equal(stock().market, stock().shop - 3)

    await visit(`/console/stock/${offer}`)
    await inspect('a variant')
  })

  await t.test('confirms stock that jumped', async t => {
    await hub.database().query(
      `update stock set confirmed_quantity = quantity, quantity = quantity + 500, jumped_at = now()
      where variant_id = $1`,
      [offer]
    )
    await visit('/console/stock?jumped=true')
    await main.getByRole('link', { name: 'Mug Red' }).click()
    await main.getByText(/jumped, offers go by/).waitFor()
    await main.getByRole('button', { name: 'Confirm the stock' }).click()
    await inspect('the confirmation of a jump')
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm the stock' }).click()
    await page.getByText('The offers follow the stock now').waitFor()
    await settle()
    const [row] = await hub.database().query<{ waiting: number | null }>(
      'select confirmed_quantity as waiting from stock where variant_id = $1',
      [offer]
    )
    t.equal(row?.waiting, null)
    await hub.call('POST', '/stock/reconcile', { body: { connectionId: shopId } })
    await settle()
  })

  await t.test('accepts the missing variants of a held sweep by their number', async t => {
    const nothing = { path: /stock_availables/, answer: { status: 200, body: [] } }
    hub.shop.faults.add(nothing)
    await hub.call('POST', '/stock/reconcile', { body: { connectionId: shopId } })
    await settle()

    await visit('/console/stock/sweeps')
    const held = main.getByRole('region', { name: /^Held sweep/ })
    hub.shop.faults.add({ ...nothing, times: 2 })
    await held.getByRole('button', { name: 'Accept missing' }).click()
    const dialog = page.getByRole('dialog', { name: /^Accept the missing/ })
    await dialog.getByRole('link', { name: 'Mug Blue' }).waitFor()
    const accept = dialog.getByRole('button', { name: 'Accept missing' })
    await dialog.getByLabel('Number of missing variants').fill('1')
    t.ok(await accept.isDisabled())
    await inspect('a held sweep')
    await dialog.getByLabel('Number of missing variants').fill('3')
    await accept.click()
    await eventually('the end of the sweep', async () => {
      const [last] = (await hub.call('GET', '/stock/sweeps?limit=1')).json as { status: string }[]
      return last?.status === 'complete' ? true : undefined
    })
    await held.waitFor({ state: 'detached' })
    await inspect('the sweeps')
  })

  await t.test('puts a variant on sale that the marketplace does not show', async t => {
    hub.shop.addProduct({ id: 40, name: 'Teapot', quantity: 6, fields: { reference: 'TEA', price: '20.000000' } })
    await hub.call('PATCH', `/connections/${marketId}`, {
      body: { config: { defaultDispatchTime: { unit: 'day', period: 2 }, defaultTaxRate: 'TAX_23' } }
    })
    await hub.call('POST', '/stock/reconcile', { body: { connectionId: shopId } })
    await settle()
    await visit('/console/offers?view=new')
    await page.getByLabel('Marketplace').selectOption(marketId)
    await page.getByLabel('Search', { exact: true }).fill('TEA')
    await page.keyboard.press('Tab')
    await main.getByRole('checkbox', { name: 'Teapot' }).check()
    await inspect('the variants that could be on sale')
    await main.getByRole('button', { name: 'List 1 variant' }).click()
    const dialog = page.getByRole('dialog', { name: 'List 1 variant' })
    await dialog.getByRole('button', { name: 'List 1 variant' }).click()
    await dialog.getByText('Teapot: overrides/imageUrls').waitFor()
    await dialog.getByText('Instead of the values of the shop').click()
    await dialog.getByLabel('The same pictures for all').fill('https://shop.example/teapot.jpg')
    await inspect('the dialog that lists variants')
    await dialog.getByRole('button', { name: 'List 1 variant' }).click()
    await page.waitForURL(/\/console\/offers\/batches\//)
    await main.getByText('1 of 1').waitFor()
    await loaded()
    // The browser logs the refusal as an error.
    forget(/status of 400/)
    await inspect('a batch of new offers')
    const [made] = (await hub.call('GET', '/offers?sku=TEA')).json as { externalId: string }[]
    t.match(hub.market.product(made?.externalId ?? ''), { name: 'Teapot', stock: 6 })

    await main.getByRole('row').getByRole('link', { name: /^offer/ }).click()
    await main.getByRole('button', { name: 'Change', exact: true }).click()
    const change = page.getByRole('dialog', { name: 'Change the offer' })
    await change.getByText('Nothing is changed.').waitFor()
    await change.getByLabel('Price').fill('21.50 PLN')
    await inspect('the dialog that changes an offer')
    await change.getByRole('button', { name: 'Change', exact: true }).click()
    await main.getByText('21.50 PLN', { exact: true }).waitFor()
  })
}
