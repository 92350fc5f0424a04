import t from 'tap'
import { request } from 'undici'
import { eventually } from '../support/api.ts'
import { refused } from '../support/command.ts'
import { runLinker, type Finished } from '../support/hub-process.ts'
import { cheapestMode } from '../support/modes.ts'
import { readChapter } from '../support/runtime-docs.ts'
import { openShopAndMarket } from '../support/shop-and-market.ts'

/** Replaces what differs from run to run: ids, times, ages and the widths of columns. */
function normalized (text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME')
    .replaceAll(/(\d{4}-\d\d-\d\d )?\d\d:\d\d UTC/g, 'MOMENT')
    .replaceAll(/\b\d+ (s|min|h|d)\b/g, 'AGE')
    .replaceAll(/ {2,}/g, '  ')
    .trim()
}

t.test('linker stock --explain', async t => {
  const { hub, shopId, marketId, offer, orderWhen } = await openShopAndMarket(t, { mode: cheapestMode(process.env) })
  const linker = (...args: string[]) => runLinker([...args, '--url', hub.url, '--token', hub.keys.admin], hub.directory)
  const explain = (...args: string[]) => linker('stock', '--explain', ...args)
  const [{ id = '' } = {}] = (await hub.call('GET', '/offers')).json as { id: string }[]
  await hub.call('PATCH', `/connections/${marketId}`, { body: { name: 'My market' } })
  await hub.call('PATCH', `/connections/${shopId}`, { body: { name: 'My shop' } })
  await hub.database().query("update variants set ean = '5901234123457' where sku = 'SKU-27-R'")

  t.test('the example of the documentation prints what it shows', async t => {
    const chapter = await readChapter('stock-and-offers', 'Why does an offer show this quantity?')
    const [, command = ''] = /```sh\n(.*?)\n```/s.exec(chapter) ?? []
    const [, shown = ''] = /```text\n(.*?)\n```/s.exec(chapter) ?? []
    await hub.call('POST', `/connections/${shopId}/pause`, { body: { capabilities: ['OrderProcessorManager'] } })
    hub.market.faults.add({
      method: 'PATCH',
      path: /\/products\//,
      times: Number.POSITIVE_INFINITY,
      answer: { status: 429, headers: { 'retry-after': '300' }, body: {} }
    })
    const placed = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 2, unitPrice: 4_999 }] })
    await hub.call('POST', '/jobs', {
      body: { jobType: 'marketplace.orders.poll', connectionId: marketId, payload: {} }
    })
    await orderWhen(placed, 'ready')
    await eventually('the write to wait', async () => {
      const { json } = await hub.call('GET', `/offers/${id}/explanation`)
      return (json as { evidence: { until?: string } }).evidence.until === undefined ? undefined : true
    })

    const printed = await linker(...command.split(' ').slice(2))
    t.match(printed, { code: 0, stderr: '' })
    t.equal(normalized(printed.stdout.replaceAll(placed, '8812')), normalized(shown))
  })

  t.test('takes the id of the hub or of the marketplace, SKU or EAN, and prints JSON', async t => {
    const names = [id, offer, 'SKU-27-R', '5901234123457']
    for (const { code, stdout } of await Promise.all(names.map(name => explain(name, '--json')))) {
      t.equal(code, 0)
      t.match(JSON.parse(stdout), {
        offerId: id,
        externalId: offer,
        verdict: 'write-waiting',
        chain: [{ step: 'master' }]
      })
    }
    t.match(await explain(id, '--connection', 'My market'), { code: 0, stdout: /^Verdict: write-waiting$/m })
    t.match(await explain(id), {
      stdout: /^Next: Wait for the job, .*\n {2}linker connections diagnose [0-9a-f-]{36}$/m
    })
  })

  t.test('says that no offer has the name, or that several have it', async t => {
    const cases: [Promise<Finished>, RegExp][] = [
      [explain('nothing'), /^linker: no offer has the id, SKU or EAN 'nothing'\n$/],
      [explain('00000000-0000-4000-8000-000000000000'), /no offer has the id/],
      [explain(id, '--connection', shopId), /no offer on this connection has the id, SKU or EAN/],
      [explain(id, '--connection', 'Other'), /no connection is called 'Other'/],
      [explain(id, '--drift'), /option '--explain <offer>' cannot be used with option '--drift'/],
      [linker('stock', '--explain', id, 'reconcile'), /--explain belongs to `linker stock` alone/]
    ]
    for (const [ended, message] of cases) refused(t, await ended, message)
    const second = await hub.connect('mktb', { name: 'Second market' })
    hub.market.addProduct('again')
    const variantId = ((await hub.call('GET', `/offers/${id}`)).json as { variantId: string }).variantId
    const linked = await hub.call('POST', '/offers/link', {
      body: { connectionId: second, variantId, externalId: 'again' }
    })
    t.equal(linked.status, 201)

    const several = await explain('SKU-27-R')
    refused(t, several, /^linker: 2 offers have the id, SKU or EAN 'SKU-27-R'; give the id of one:\n/)
    t.match(several.stderr, /OFFER +CONNECTION +AT MARKETPLACE +STATUS\n.*My market/s)
    t.match(several.stderr, /Second market +again +ACTIVE\n$/)
    const one = await explain('SKU-27-R', '--connection', 'Second market', '--json')
    t.match(JSON.parse(one.stdout), { externalId: 'again' })
  })

  t.test('explains an offer that is linked to nothing', async t => {
    const [{ id: again = '' } = {}] = (await hub.call('GET', '/offers?externalId=again')).json as { id: string }[]
    await hub.call('DELETE', `/offers/${again}`)

    const { code, stdout } = await explain('again')
    t.equal(code, 0)
    t.match(stdout, /an operator unlinked it at .*, so it follows no stock\.$/m)
    t.match(stdout, /^Verdict: not-linked$/m)
    t.match(stdout, / {2}linker offers link --marketplace \S+ --shop SHOP --product PRODUCT --offer again$/m)
  })

  t.test('finds an offer by an id of one character, and an unlinked one by what the marketplace shows', async t => {
    await hub.database().query(`
      update unlinked_offers set external_id = 'a', sku = 'SKU-99', ean = '4006381333931' where external_id = 'again'`)
    for (const name of ['a', 'sku-99', '4006381333931']) {
      t.match(JSON.parse((await explain(name, '--json')).stdout), { externalId: 'a', verdict: 'not-linked' }, name)
    }
    t.match(JSON.parse((await explain('sku-27-r', '--json')).stdout), { offerId: id })
  })

  t.test('its next actions are commands: offers limit and offers refresh', async t => {
    const limited = await linker('offers', 'limit', 'SKU-27-R', '--buffer', '1', '--max-listed', '4')
    const json = await linker('offers', 'limit', id, '--max-listed', 'none', '--json')
    hub.market.faults.clear()
    await hub.call('POST', `/connections/${marketId}/upstream/reset`)
    const refreshed = await linker('offers', 'refresh', 'SKU-27-R')

    t.match(limited, { code: 0, stdout: `${id}  buffer 1, at most 4\n` })
    t.match(JSON.parse(json.stdout), { id, buffer: 1, maxListed: null })
    t.match(refreshed, {
      code: 0,
      stdout: /^[0-9a-f-]{36} {2}succeeded(: the marketplace may not show the last write yet)?\n\nOffer /,
      stderr: ''
    })
    t.match(refreshed.stdout, /^The marketplace .*\nNext: linker stock --explain [0-9a-f-]{36}\n$/m)
    t.match(JSON.parse((await linker('offers', 'refresh', id, '--json')).stdout), {
      status: 'succeeded',
      result: { found: { externalId: offer, exists: true, staleUntil: /Z$/ } }
    })
    refused(t, await linker('offers', 'limit', id), /give --buffer or --max-listed/)
    refused(t, await linker('offers', 'limit', id, '--buffer', '-1'), /must be a number of pieces/)
    refused(t, await linker('offers', 'limit', id, '--max-listed', 'all'), /must be a number of pieces/)
    refused(t, await linker('offers', 'refresh', 'again'), /no offer has the id, SKU or EAN 'again'/)
  })
})

t.test('linker offers refresh tells what somebody changed at the marketplace', async t => {
  const { hub, offer, settle } = await openShopAndMarket(t, { mode: cheapestMode(process.env) })
  const linker = (...args: string[]) => runLinker([...args, '--url', hub.url, '--token', hub.keys.admin], hub.directory)
  await settle()
  await hub.database().query("update offers set last_synced_at = now() - interval '1 hour', written_at = null")
  await request(`${hub.market.baseUrl}/products/${offer}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${hub.keys.market}`, 'content-type': 'application/json' },
    body: JSON.stringify({ stock: 30 })
  })

  const refreshed = await linker('offers', 'refresh', offer)
  t.match(refreshed, { code: 0, stderr: '' })
  t.match(refreshed.stdout, /^[0-9a-f-]{36} {2}succeeded\n/)
  t.match(refreshed.stdout, /^quantity +30 +20 +yes$/m)
  t.match(refreshed.stdout, /^The marketplace shows 30, and the hub last wrote 20: the hub writes it again\.$/m)
  await settle()
  const explained = await linker('stock', '--explain', offer)
  t.match(explained.stdout, /' showed 30 at .*, not the 20 that the hub had written: somebody changed it there/)
  t.match(explained.stdout, /^Verdict: changed-there$/m)

  hub.market.faults.add({ path: /\/products/, times: Number.POSITIVE_INFINITY, answer: { status: 400, body: {} } })
  t.match(await linker('offers', 'refresh', offer), { code: 1, stdout: /dead: LNK_ADAPTER_REJECTED/ })
})
