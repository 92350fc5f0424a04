import t from 'tap'
import { refused } from '../support/command.ts'
import { runLinker } from '../support/hub-process.ts'
import { cheapestMode } from '../support/modes.ts'
import { openShopAndMarket, type OrderView } from '../support/shop-and-market.ts'

t.test('linker orders', async t => {
  const { hub, marketId, shopId, offer, poll, orderWhen, settle } = await openShopAndMarket(t, {
    mode: cheapestMode(process.env),
    isPolandActive: false
  })
  await hub.call('PATCH', `/connections/${marketId}`, { body: { name: 'My market' } })
  const linker = (...args: string[]) =>
    runLinker(['orders', ...args, '--url', hub.url, '--token', hub.keys.admin], hub.directory)
  const place = () => hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 1 }] })
  const [first, second, third] = [place(), place(), place()]
  await poll()
  const { id } = await orderWhen(first, 'failed')
  await orderWhen(second, 'failed')
  await orderWhen(third, 'failed')
  await settle()

  t.test('list and show take the names that people know', async t => {
    const byName = await linker('list', '--connection', 'My market', '--external-id', first, '--json')
    const shown = await linker('show', first)

    t.strictSame((JSON.parse(byName.stdout) as OrderView[]).map(order => order.id), [id])
    t.match(shown, { code: 0, stdout: new RegExp(`\n${id} +${first} +failed`) })
    t.match(await linker('list', '--external-id', 'nobody'), { code: 0, stdout: /^ORDER .*\n$/ })
    refused(t, await linker('show', 'nobody'), /no marketplace has an order 'nobody'/)
    refused(t, await linker('list', '--connection', 'Other'), /no connection is called 'Other'/)
  })

  t.test('retry by filter tells first what it would do', async t => {
    const planned = await linker('retry', '--connection', 'My market', '--status', 'failed', '--dry-run')
    const none = await linker('retry', '--code', 'unmapped', '--dry-run')

    t.match(planned, {
      code: 0,
      stdout:
        /^3 orders match\n3 would be retried\n\nORDERS +CONNECTION .*\n3 +My market +failed +not-created\n\nORDER /
    })
    t.match(none, { code: 1, stdout: '0 orders match\n0 would be retried\n' })
    await orderWhen(first, 'failed')
  })

  t.test('what is wrong is refused', async t => {
    refused(t, await linker('retry'), /name orders, or give options that say which orders/)
    refused(t, await linker('retry', first, '--code', 'not-created'), /but not both/)
    refused(t, await linker('retry', first, '--dry-run'), /--dry-run goes with options/)
    refused(t, await linker('retry', '--dry-run'), /name orders, or give options/)
    refused(t, await linker('retry', '--status', 'created'), /Allowed choices are awaiting_mapping, failed/)
    refused(t, await linker('retry', '--since', 'yesterday'), /must be a time \(2026-.*, a date .* or an age \(90m/)
    refused(t, await linker('retry', 'nobody'), /'nobody' was not retried: no marketplace has an order 'nobody'/)
  })

  t.test('an order that no shop gets was not retried, and the command says why', async t => {
    const { query } = hub.database()
    const [{ capabilities } = {}] = await query<{ capabilities: string[] }>(
      'select capabilities from connections where id = $1',
      [shopId]
    )
    await query('update connections set capabilities = $2 where id = $1', [shopId, '["InventoryMaster"]'])
    const answer = await linker('retry', first)
    const json = await linker('retry', first, '--json')
    await query('update connections set capabilities = $2 where id = $1', [shopId, JSON.stringify(capabilities)])

    refused(t, answer, new RegExp(`'${first}' was not retried: .*shop`))
    t.equal(json.code, 1)
    t.match(JSON.parse(json.stdout), { jobIds: { length: 0 }, refused: [{ order: first, problem: /shop/ }] })
    await orderWhen(first, 'failed')
  })

  t.test('retry takes one order or several, and tries all of them', async t => {
    hub.shop.setCountryActive('PL', true)
    const one = await linker('retry', id)
    const several = await linker('retry', second, 'nobody')

    t.match(one.code, 0)
    for (const jobId of one.stdout.trim().split('\n')) t.match(await hub.endOf(jobId), { status: 'succeeded' })
    const json = await linker('retry', 'nobody', '--json')
    t.match(JSON.parse(json.stdout), {
      jobIds: { length: 0 },
      refused: [{ order: 'nobody', problem: /no marketplace has/ }]
    })
    t.equal(json.code, 1)
    t.match(several, { code: 1, stdout: /^\S{36}\n/, stderr: /'nobody' was not retried: no marketplace has an order/ })
    await orderWhen(first, 'created')
    await orderWhen(second, 'created')
  })

  t.test('retry by filter says what it did', async t => {
    const done = await linker('retry', '--connection', 'My market')
    await orderWhen(third, 'created')
    const json = await linker('retry', '--external-id', third, '--json')

    t.match(done, { code: 0, stdout: /^3 orders match\n1 was retried\n2 skipped: created\n\nORDERS / })
    t.equal(json.code, 1)
    t.match(JSON.parse(json.stdout), { eligible: 0, retried: 0, skipped: [{ reason: 'created', count: 1 }] })
    t.equal(hub.shop.orders().length, 3)
  })

  t.test('settle prints the order as it is then', async t => {
    t.match(JSON.parse((await linker('settle', first, '--json')).stdout), { id, status: 'created', problems: [] })
    t.match(await linker('settle', first), { code: 0, stdout: '' })
  })

  t.test('forget tells first what stands in the way, and then removes the data of the buyer', async t => {
    const refusedFirst = await linker('forget', third, '--dry-run')
    t.match(refusedFirst, { code: 1, stdout: /^order .*\n[^]*in the way: order '.*' is created: the hub needs/ })
    refused(t, await linker('forget', third), /409 LNK_ORDER_STATE: order '.*' is created/)
    refused(t, await linker('forget', 'nobody'), /no marketplace has an order 'nobody'/)
    await linker('cancel', third)
    await settle()

    t.match(await linker('forget', third, '--dry-run'), { code: 0, stdout: /\naddresses +\d +would be removed/ })
    t.match(await linker('forget', third), {
      code: 0,
      stdout: /data of the buyer removed at [^]*\naddresses +\d +removed/
    })
    t.match(JSON.parse((await linker('forget', third, '--json')).stdout), { deleted: true, obstacles: [] })
    t.match(await linker('show', third), { stdout: /\n\ndata of the buyer removed at 2/ })
  })
})
