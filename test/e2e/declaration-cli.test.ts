import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { refused } from '../support/command.ts'
import { runLinker } from '../support/hub-process.ts'
import { cheapestMode } from '../support/modes.ts'
import { openShopAndMarket } from '../support/shop-and-market.ts'

t.test('linker export and linker apply', async t => {
  const { hub, shopId, marketId, offer } = await openShopAndMarket(t, { mode: cheapestMode(process.env) })
  await hub.call('PATCH', `/connections/${shopId}`, { body: { name: 'My shop' } })
  await hub.call('PATCH', `/connections/${marketId}`, { body: { name: 'My market' } })
  const linker = (...args: string[]) => runLinker([...args, '--url', hub.url, '--token', hub.keys.admin], hub.directory)
  const path = join(hub.directory, 'hub.yaml')
  const write = (text: string) => writeFile(path, text)

  t.test('an export has no secret, and applying it changes nothing', async t => {
    t.match(await linker('export', '--out', path), { code: 0, stderr: '' })
    refused(t, await linker('export', '--out', path), /cannot write .*EEXIST/)
    const text = await readFile(path, 'utf8')

    t.match(text, /name: My shop\n/)
    t.match(text, `externalId: ${offer}`)
    for (const secret of Object.values(hub.keys)) t.notMatch(text, secret)
    t.match(await linker('apply', path, '--dry-run'), { code: 0, stdout: 'nothing would change\n' })
    t.match(await linker('apply', path), { code: 0, stdout: 'nothing had to change\n' })
  })

  t.test('what is missing is created, what differs is changed, and a second run changes nothing', async t => {
    const text = (await readFile(path, 'utf8'))
      .replace('defaultCarrierId: "2"', 'defaultCarrierId: "3"')
      .replace('buffer: 0', 'buffer: 4')
      .replace(
        'connections:\n',
        [
          'connections:',
          '  - name: New market',
          '    platformType: mktb',
          '    allowSameAccount: true',
          '    config: { callbackBaseUrl: "https://hub.example" }',
          '    schedules: { marketplace-orders-sweep: { every: 7h } }\n'
        ].join('\n')
      )
    await write(text)
    refused(t, await linker('apply', path), /line \d+: \/connections\/0: credentials of 'New market': .*--credentials/)
    const secrets = join(hub.directory, 'secrets.yaml')
    await writeFile(secrets, `Nobody: ${hub.keys.market}\n`)
    const stranger = await linker('apply', path, '--credentials', secrets)
    refused(t, stranger, /has 1 names that no connection of the declaration has/)
    t.notMatch(stranger.stderr, hub.keys.market)
    await writeFile(secrets, `New market: ${hub.keys.market}\n`)
    const apply = (...args: string[]) => linker('apply', path, '--credentials', secrets, ...args)
    const planned = await apply('--dry-run')
    t.match(planned, { code: 0, stderr: '', stdout: /^\+ connection 'New market'\n/ })
    t.match(planned.stdout, /~ connection 'My shop'\n {4}\/config\/defaultCarrierId: "2" → "3"\n/)
    t.match(planned.stdout, /~ offer 'My market\/.*'\n {4}\/buffer: 0 → 4\n/)
    t.match(planned.stdout, /\+ schedule 'New market\/marketplace-orders-sweep'\n[^]*4 changes would be made/)
    t.notMatch((await linker('export')).stdout, 'New market')

    const applied = await apply()
    t.match(applied, { code: 0, stderr: '', stdout: /\n4 changes\ntest it: linker connections test 'New market'\n$/ })
    t.notMatch(planned.stdout + applied.stdout, hub.keys.market)
    t.match(await linker('apply', path), { code: 0, stderr: '', stdout: 'nothing had to change\n' })
    t.match(await linker('connections', 'test', 'New market'), { code: 0 })
    t.match((await hub.call('GET', `/connections/${shopId}`)).json, { config: { defaultCarrierId: '3' } })
  })

  t.test('what is wrong is refused before anything changes', async t => {
    const before = (await linker('export')).stdout
    await write(before.replace('    platformType: mktb\n', '    platformType: mktb\n    secret: x\n'))
    refused(t, await linker('apply', path), /hub\.yaml, line \d+: \/connections\/\d\/secret: is not a member/)
    await write(`${before.replace('buffer: 4', 'buffer: 5')}`.replace('name: My shop', 'name: Other shop')
      .replace('platformType: shopa', 'platformType: mktb'))
    refused(t, await linker('apply', path), /line \d+/)
    await hub.call('PATCH', `/connections/${marketId}`, { body: { name: 'My shop' } })
    await write(before)
    const twice = await linker('apply', path)
    refused(t, twice, /2 connections are called 'My shop'/)
    for (const id of [shopId, marketId]) t.match(twice.stderr, id)
    refused(t, await linker('export'), /2 connections are called 'My shop'/)
    await hub.call('PATCH', `/connections/${marketId}`, { body: { name: 'My market' } })
    t.equal((await linker('export')).stdout, before)
  })
})
