import t from 'tap'
import { refused } from '../support/command.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { reconcile } from '../support/reconcile.ts'
import { readChapter } from '../support/runtime-docs.ts'

t.test('linker offers, stock and search', async t => {
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env) })
  const shop = await hub.connect('shopa', { name: 'My shop' })
  const market = await hub.connect('mktb', { name: 'My market' })
  const linker = (...args: string[]) => runLinker([...args, '--url', hub.url, '--token', hub.keys.admin], hub.directory)

  await t.test('marketplace says what to do while nothing was read', async t => {
    t.match(await linker('offers', 'marketplace', 'My market'), {
      code: 0,
      stdout: 'the hub has read no such offers. `linker stock reconcile --connection "My market"` reads them again\n'
    })
    t.match(await linker('offers', 'link-certain', 'My market'), {
      code: 1,
      stdout: '0 offers match\n0 were linked\n'
    })
  })

  hub.market.addProduct('red-mug', { name: 'A red mug', sku: 'SKU-27-R', stock: 1 })
  hub.market.addProduct('SKU-28', { name: 'A plate', stock: 1 })
  hub.market.addProduct('plates', { name: 'Six plates', ean: '5901234123457', stock: 1 })
  await reconcile(hub, shop)
  await reconcile(hub, market)

  t.test('marketplace lists offers with the variants that may be theirs', async t => {
    const table = await linker('offers', 'marketplace', 'My market')
    const json = await linker('offers', 'marketplace', market, '--state', 'certain', '--search', 'MUG', '--json')

    t.equal(table.code, 0)
    const [heading, plate, plates, mug] = table.stdout.split('\n')
    t.match(heading, /^OFFER THERE +TITLE +SKU +EAN +QUANTITY +LINK +VARIANT +VARIANT SKU +REASON +READ AT$/)
    t.match(plate, /^SKU-28 +A plate +1 +certain +Plate.* +SKU-28 +only-match +\S+Z$/)
    t.match(plates, /^plates +Six plates +5901234123457 +1 +ambiguous +Plate.* +several-offers +\S+Z$/)
    t.match(mug, /^red-mug +A red mug +SKU-27-R +1 +certain +Mug.* SKU-27-R +only-match/)
    t.match(JSON.parse(json.stdout), [{ externalId: 'red-mug', link: { state: 'certain' } }])
    refused(t, await linker('offers', 'marketplace', 'My market', '--state', 'lost'), /Allowed choices are linked/)
    refused(t, await linker('offers', 'marketplace', 'Other'), /no connection is called 'Other'/)
    refused(t, await linker('offers', 'marketplace', 'My shop'), /500 LNK_CAPABILITY_NOT_SUPPORTED/)
  })

  t.test('the commands of the documentation do what it says', async t => {
    const chapters = [
      await readChapter('stock-and-offers', 'What a marketplace offers'),
      await readChapter('stock-and-offers', 'Search')
    ]
    const commands = [...chapters.join('\n').matchAll(/^npx linker (.+)$/gm)].map(([, command = '']) => command)
    const [list = '', plan = '', link = '', search = '', ...more] = commands
    const run = (command: string) =>
      linker(...[...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain))

    t.strictSame(more, [])
    t.match(await run(list), { code: 0, stdout: /plates .* ambiguous / })
    t.match(await run(plan), { code: 0, stdout: /2 would be linked/ })
    t.match(link, /^offers link-certain "My market"$/, 'the next test links')
    t.match(await run(search), { code: 0, stdout: /variant +Mug/ })
  })

  t.test('link-certain first says what it would link, and exits with 1 when there is nothing', async t => {
    t.match(await linker('offers', 'link-certain', 'My market', '--dry-run'), {
      code: 0,
      stdout: new RegExp([
        '^3 offers match\n2 would be linked\n1 skipped: several-offers\noldest reading: \\S+Z\n\n',
        'OFFER THERE +TITLE +VARIANT +SKU +MATCHED BY\nSKU-28 .* sku\nred-mug .* sku\n$'
      ].join(''))
    })
    t.match(await linker('offers', 'link-certain', 'My market', '--offer', 'plates', 'none', '--dry-run'), {
      code: 1,
      stdout: /^2 offers match\n0 would be linked\n1 skipped: several-offers\n1 skipped: unknown\n$/
    })
    const one = await linker('offers', 'link-certain', 'My market', '--offer', 'red-mug', '--json')
    t.match([one.code, JSON.parse(one.stdout)], [0, { linked: 1, matched: 1 }])
    t.match(await linker('offers', 'link-certain', 'My market', '--search', 'plate'), {
      code: 0,
      stdout: /^2 offers match\n1 was linked\n/
    })
    t.match(await linker('offers', 'link-certain', 'My market'), { code: 1, stdout: /variant-has-offer/ })
    refused(
      t,
      await linker('offers', 'link-certain', 'My market', '--offer', 'a', '--search', 'b'),
      /give --offer or --search, but not both/
    )
  })

  t.test('offers list and stock show names and SKUs, and find by them', async t => {
    const offers = await linker('offers', 'list', '--connection', 'My market', '--search', 'sku-27')
    const stock = await linker('stock', '--search', 'SKU-27-R')

    t.match(offers, {
      code: 0,
      stdout: /^NAME +SKU +MARKETPLACE +OFFER THERE +STATUS .*OFFER\nMug.* +SKU-27-R +My market +red-mug +ACTIVE .*\n$/
    })
    t.match(stock, {
      code: 0,
      stdout: /^NAME +SKU +QUANTITY +RESERVED +OFFERED AT .*VARIANT +OFFER\nMug.* +SKU-27-R +8 +0 +My market +8 .*\n$/
    })
    t.match(JSON.parse((await linker('offers', 'list', '--offer', 'SKU-28', '--json')).stdout), [{
      externalId: 'SKU-28',
      variant: { sku: 'SKU-28' }
    }])
    t.match(await linker('offers', 'list', '--problem', 'never-shown'), { code: 0, stdout: /^NAME [^\n]*\n$/ })
    refused(t, await linker('offers', 'list', '--problem', 'bad'), /400 LNK_REQUEST_INVALID/)
    refused(t, await linker('offers', 'list', '--warning', 'bad'), /Allowed choices are stock-frozen, oversell/)
  })

  t.test('search names what it found, and exits with 1 when it found nothing', async t => {
    const table = await linker('search', 'red-mug')
    const json = await linker('search', 'SKU-28', '--json')

    t.match(table, {
      code: 0,
      stdout:
        /^KIND +TITLE +DETAIL +CONNECTION +MATCHED BY +ID\noffer +.* red-mug · ACTIVE +My market +externalId +\S+\n$/
    })
    t.match(JSON.parse(json.stdout), [{ kind: 'offer' }, { kind: 'variant', matchedBy: 'sku' }])
    t.match(await linker('search', 'no such thing'), { code: 1, stdout: 'nothing found\n' })
    refused(t, await linker('search', 'x'), /400 LNK_REQUEST_INVALID/)
  })

  t.test('unlink stops an offer from following stock, and leaves it at the marketplace', async t => {
    const [plate] = JSON.parse((await linker('offers', 'list', '--offer', 'SKU-28', '--json')).stdout)
    const unlinked = await linker('offers', 'unlink', 'SKU-28')
    const json = await linker('offers', 'unlink', 'SKU-27-R', '--json')

    t.match(unlinked, { code: 0, stdout: `${plate.id}  unlinked 'SKU-28'; nothing changes at the marketplace\n` })
    t.match(JSON.parse(json.stdout), { externalId: 'red-mug', connectionId: market, variantId: /\S+/ })
    t.strictSame(JSON.parse((await linker('offers', 'list', '--json')).stdout), [])
    t.match(hub.market.product('SKU-28'), { externalId: 'SKU-28', name: 'A plate', archivedAt: null })
    refused(t, await linker('offers', 'unlink', 'SKU-28'), /no offer has the id, SKU or EAN 'SKU-28'/)
    t.match(await linker('offers', 'unlink', '--help'), {
      code: 0,
      stdout: /nothing\s+changes\s+at\s+the\s+marketplace/
    })
  })

  t.test('create puts variants on sale, and end takes an offer off', async t => {
    hub.shop.addProduct({ id: 40, name: 'Teapot', quantity: 6, fields: { reference: 'TEA', price: '20.000000' } })
    await hub.call('PATCH', `/connections/${market}`, {
      body: { config: { defaultDispatchTime: { unit: 'day', period: 2 }, defaultTaxRate: 'TAX_23' } }
    })
    await reconcile(hub, shop)
    const create = (...args: string[]) => linker('offers', 'create', 'My market', ...args)
    const values = ['--price', '19.90 PLN', '--image', 'https://shop.example/1.jpg', 'https://shop.example/2.jpg']

    refused(t, await create('none'), /no variant has the SKU, EAN or id 'none'/)
    refused(t, await create('TEA', '--price', 'free'), /must be an amount and a currency/)
    refused(t, await create('TEA'), /400 LNK_OFFER_INVALID/)
    const made = await create('tea', ...values)
    t.match(made, {
      code: 0,
      stdout: /^batch \S+: 1 of 1 listed\n\nVARIANT +OFFER +JOB +PROBLEM\nTeapot +\S+ +succeeded *\n$/
    })
    const [offer] = JSON.parse((await linker('offers', 'list', '--search', 'TEA', '--json')).stdout)
    t.match(offer, { price: { amount: '19.90', currency: 'PLN' } })
    t.match(hub.market.product(offer.externalId), { name: 'Teapot', stock: 6 })
    const again = await create('TEA', ...values, '--json')
    t.match([again.code, JSON.parse(again.stdout)], [1, { total: 0, skipped: [{ offerId: offer.id }] }])

    refused(t, await linker('offers', 'change', 'TEA'), /give --price or --title/)
    t.match(await linker('offers', 'change', 'TEA', '--price', '21.50 PLN', '--title', 'A teapot'), {
      code: 0,
      stdout: /^\S+ {2}succeeded\n$/
    })
    t.match(JSON.parse((await linker('offers', 'list', '--search', 'TEA', '--json')).stdout), [{
      title: 'A teapot',
      price: { amount: '21.50' }
    }])
    refused(
      t,
      await linker('offers', 'change', 'TEA', '--price', '2150 PLN'),
      /nothing was changed: .*from 21\.50 PLN to 2150 PLN.*--yes/
    )
    refused(t, await linker('offers', 'change', 'TEA', '--price', '21.50 EUR', '--yes'), /PLN only, not in EUR/)
    t.match(await linker('offers', 'change', 'TEA', '--price', '43 PLN', '--yes'), { code: 0 })
    t.match(await linker('offers', 'end', 'TEA'), { code: 0, stdout: /^\S+ {2}succeeded\n$/ })
    t.match(JSON.parse((await linker('offers', 'list', '--search', 'TEA', '--json')).stdout), [{ status: 'ENDED' }])
  })
})
