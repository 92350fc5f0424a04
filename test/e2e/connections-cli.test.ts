import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { refused } from '../support/command.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'

t.test('linker connections show, edit, credentials, pause and resume', async t => {
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env) })
  const id = await hub.connect('shopa', { name: 'My shop' })
  const linker = (args: readonly string[], input = '') =>
    runLinker(['connections', ...args, '--url', hub.url, '--token', hub.keys.admin], hub.directory, {}, input)
  const read = async () => (await hub.call('GET', `/connections/${id}`)).json as Record<string, unknown>

  t.test('show prints status, adapter, pauses and webhooks', async t => {
    await linker(['pause', 'My shop', '--capability', 'OrderProcessorManager', '--reason', 'maintenance'])
    const shown = await linker(['show', 'My shop'])
    const json = await linker(['show', id, '--json'])
    await linker(['resume', 'My shop', '--capability', 'OrderProcessorManager'])

    t.equal(shown.code, 0)
    for (
      const line of [
        /^name +My shop$/m,
        /^status +active$/m,
        /^account +\S+$/m,
        /^pause +OrderProcessorManager paused by \(own token\) until somebody resumes it: maintenance$/m,
        /^adapter +shopa\.webservice\.v1@0\.1\.0$/m,
        /^capabilities +.*InventoryMaster/m,
        /^webhooks +set up; no delivery yet$/m
      ]
    ) t.match(shown.stdout, line)
    t.match(JSON.parse(json.stdout), {
      id,
      pauses: [{ capability: 'OrderProcessorManager' }],
      webhooks: { webhooksConfigured: true }
    })
    t.notMatch(shown.stdout + json.stdout, hub.keys.shop)
  })

  t.test('completion suggests names, and the ids of names that a shell would split', async t => {
    const other = await hub.connect('shopa', { name: 'outlet' })
    const { stdout } = await runLinker(['complete', '--', 'connections', 'show', ''], hub.directory, {
      LINKER_URL: hub.url,
      LINKER_TOKEN: hub.keys.admin
    })
    await hub.call('PATCH', `/connections/${other}/disable`)
    await hub.call('DELETE', `/connections/${other}`)

    t.strictSame(stdout.split('\n').toSorted(), ['', ':4', `${id}\tMy shop, shopa`, 'outlet\tshopa'].toSorted())
  })

  t.test('pause and resume take names, lengths and capabilities, and the list shows the pause', async t => {
    const before = Date.now()
    const paused = await linker(['pause', 'My shop', '--until', '2h', '--reason', 'moving house'])
    const list = await linker(['list'])
    const more = await linker([
      'pause',
      id,
      '--json',
      ...['InventoryMaster', 'ProductMaster'].flatMap(name => ['--capability', name])
    ])
    const resumed = await linker(['resume', 'My shop'])
    const rest = await linker(['resume', 'My shop', '--capability', 'InventoryMaster', '--capability', 'ProductMaster'])

    t.match(paused, { code: 0, stdout: /^My shop: paused by \(own token\) until \S+Z: moving house\n$/ })
    const [until = ''] = /\d{4}-\S+Z/.exec(paused.stdout) ?? []
    t.ok(Date.parse(until) >= before + 7_200_000)
    t.match(list.stdout, /My shop .*active .*paused by \(own token\) until/)
    t.match((JSON.parse(more.stdout) as { pauses: object[] }).pauses, [
      { capability: null },
      { capability: 'InventoryMaster' },
      { capability: 'ProductMaster' }
    ])
    t.match(resumed.stdout, /^My shop: InventoryMaster paused .*\nMy shop: ProductMaster paused .*\n$/)
    t.match(rest, { code: 0, stdout: 'My shop is resumed: its jobs go on\n' })
    t.match(await linker(['resume', 'My shop']), { code: 0, stdout: /^My shop: nothing was resumed, because/ })
  })

  t.test('a pause that cannot be is refused and changes nothing', async t => {
    refused(t, await linker(['pause', 'My shop', '--until', 'tomorrow']), /a date .* or a length from now \(30m/)
    refused(t, await linker(['pause', 'My shop', '--until', '2020-01-01T00:00:00Z']), /400 .*\/until: .*in the past/s)
    refused(
      t,
      await linker(['pause', 'My shop', '--capability', 'Orders']),
      /400 LNK_REQUEST_INVALID.*'Orders' is not a capability of this connection; it has .*InventoryMaster/s
    )
    refused(t, await linker(['pause', 'Other']), /no connection is called 'Other'; existing names: 'My shop'/)
    refused(t, await linker(['resume', 'Other']), /no connection is called 'Other'/)
    t.strictSame((await read()).pauses, [])
  })

  t.test('disable and enable say what it means for webhooks and jobs, and an operator may do both', async t => {
    const { token } = (await hub.call('POST', '/tokens', { body: { name: 'op', scope: 'operate' } })).json as {
      token: string
    }
    const asOperator = (...args: readonly string[]) =>
      runLinker(['connections', ...args, '--url', hub.url, '--token', token], hub.directory)
    const disabled = await asOperator('disable', 'My shop')
    const { status } = await read()
    const shown = await asOperator('show', 'My shop')
    const listed = await asOperator('list')
    const diagnosis = await asOperator('diagnose', 'My shop')
    const explained = await asOperator('disable', 'My shop', '--reason', 'sold')
    const [shownWhy, listedWhy] = [await asOperator('show', 'My shop'), await asOperator('list')]
    const enabled = await asOperator('enable', id)
    const json = await asOperator('enable', 'My shop', '--json')

    t.match(disabled, {
      code: 0,
      stdout: /^My shop is disabled\n {2}webhooks +refused with 404.*\n {2}jobs +running ones.*the others wait.*\n/
    })
    t.match(disabled.stdout, 'linker connections enable "My shop"')
    t.match(shown.stdout, /^status +disabled by op at \S+Z$/m)
    t.match(listed.stdout, / disabled by op at \S+Z$/m)
    t.match(diagnosis.stdout, 'linker connections enable "My shop"')
    t.match(explained, { code: 0, stdout: /^My shop is disabled: sold\n/ })
    t.match(shownWhy.stdout, /^status +disabled by op at \S+Z: sold$/m)
    t.match(listedWhy.stdout, / disabled by op at \S+Z: sold$/m)
    t.match(enabled, {
      code: 0,
      stdout: /^My shop is active\n {2}webhooks +accepted;.*\n {2}jobs +those that waited go on\n$/
    })
    t.equal(status, 'disabled')
    t.match(JSON.parse(json.stdout), { id, status: 'active' })
    refused(t, await asOperator('disable', 'Other'), /no connection is called 'Other'/)
    refused(t, await asOperator('edit', 'My shop', '--status', 'disabled'), /403 LNK_FORBIDDEN/)
  })

  t.test('edit changes name, status and members of the config', async t => {
    const members = ['shopId=1', 'prices.country=PL', 'prices.currency=PLN', 'colour=red']
    const edited = await linker([
      'edit',
      'My shop',
      '--name',
      'Our shop',
      ...members.flatMap(member => ['--config', member])
    ])
    const { name, config } = await read()
    const removed = await linker(['edit', 'Our shop', '--config', 'prices=', '--config', 'colour=', '--json'])
    const disabled = await linker(['edit', id, '--status', 'disabled'])
    const { status } = await read()
    await linker(['edit', id, '--status', 'active', '--name', 'My shop'])

    t.match(edited, { code: 0, stdout: /^changed Our shop\n {2}warning {3}\/config\/colour .*\n$/ })
    t.strictSame([name, config], [
      'Our shop',
      { shopId: '1', prices: { country: 'PL', currency: 'PLN' }, colour: 'red' }
    ])
    t.strictSame((JSON.parse(removed.stdout) as { config: object }).config, { shopId: '1' })
    t.strictSame([disabled.stdout, status], ['changed Our shop\n', 'disabled'])
    const piped = await linker(['edit', 'My shop', '--config', '-', '--json'], '{"moduleName":"own"}')
    t.match(JSON.parse(piped.stdout), { config: { shopId: '1', moduleName: 'own' } })
    refused(
      t,
      await linker(['create', '--platform', 'shopa', '--name', 'New', '--config', '-', '--credentials', '-']),
      /standard input can hold the config or the credentials/
    )
    refused(t, await linker(['edit', 'My shop']), /nothing to change/)
    refused(t, await linker(['create', '--platform', 'shopa', '--name', 'My shop']), /'My shop' is taken by/)
    refused(t, await linker(['edit', 'My shop', '--config', 'prices.country=Poland']), /400 LNK_CONNECTION_INVALID/)
    refused(t, await linker(['edit', 'My shop', '--status', 'broken']), /400 LNK_REQUEST_INVALID/)
  })

  t.test('credentials come from a file or standard input, and the platform must accept them', async t => {
    const credentials = JSON.stringify({ apiUrl: hub.shop.apiUrl, apiKey: hub.keys.shop })
    const wrong = JSON.stringify({ apiUrl: hub.shop.apiUrl, apiKey: 'W'.repeat(32) })
    const file = join(hub.directory, 'credentials.json')
    await writeFile(file, `\ufeff${credentials}\n`)

    t.match(await linker(['credentials', 'My shop', file]), { code: 0, stdout: /^replaced the credentials, which/ })
    t.match(await linker(['credentials', 'My shop'], credentials), { code: 0 })
    const refusal = await linker(['credentials', 'My shop'], wrong)
    refused(t, refusal, /400 LNK_CONNECTION_INVALID: .*the old ones stay/)
    t.notMatch(refusal.stderr, 'WWWW')
    t.match(await linker(['test', 'My shop']), { code: 0 })
    refused(t, await linker(['credentials', 'My shop'], '{"apiKey": canary'), /standard input is not JSON\n$/)
    refused(t, await linker(['credentials', 'My shop'], ' '), /standard input is empty/)
    refused(
      t,
      await linker(['credentials', 'My shop', 'nowhere.json']),
      /cannot read the file with credentials: ENOENT\n$/
    )
    t.match(await linker(['credentials', 'My shop', '--no-test'], wrong), {
      code: 0,
      stdout: /^replaced the credentials, which the platform has not seen yet: `linker connections test \S+` tries/
    })
    t.match(await linker(['test', 'My shop']), { code: 1 })
  })

  t.test('test prints the warnings of a test that succeeds', async t => {
    await hub.connect('mktb', { name: 'My market', config: { orderWriteBack: false } })

    t.match(await linker(['test', 'My market']), {
      code: 0,
      stdout: /^ok {2}the key opens the shop 'my-shop' .*\nwarning {2}config\.orderWriteBack is off/
    })
  })
})
