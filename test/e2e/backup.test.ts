import { join } from 'node:path'
import t from 'tap'
import { refused } from '../support/command.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub } from '../support/hub.ts'
import { cheapestMode, fullestMode, openMode } from '../support/modes.ts'
import { problemOf } from '../support/problem.ts'
import { readChapter } from '../support/runtime-docs.ts'
import { openShopAndMarket } from '../support/shop-and-market.ts'

/** The arguments of the commands in the chapter of the documentation, in its order. */
async function readCommands (): Promise<string[][]> {
  const chapter = await readChapter('state', 'Back up, restore, move to PostgreSQL')
  return [...chapter.matchAll(/^```sh\nnpx linker (.*)\n```$/gm)].map(([, command = '']) => command.split(' '))
}

t.test('the commands of the documentation back up, restore and move an embedded hub', async t => {
  const [backup = [], restore = [], transfer = [], ...more] = await readCommands()
  t.strictSame([...more, [backup[0], restore[0], transfer[0]]], [['backup', 'restore', 'transfer']])
  const hub = await buildTestHub(t, { mode: 'embedded' })
  const shop = await hub.connect('shopa', { name: 'My shop' })
  const variables = {
    ADMIN_TOKEN: hub.keys.admin,
    LINKER_DATA_DIR: join(hub.directory, 'state'),
    PORT: new URL(hub.url).port
  }
  const run = (args: readonly string[], others: Record<string, string> = {}) =>
    runLinker(args, hub.directory, { ...variables, ...others })
  const nameOfShop = async (): Promise<unknown> => (await hub.call('GET', `/connections/${shop}`)).json

  const makeToken = async (name: string): Promise<string> =>
    ((await hub.call('POST', '/tokens', { body: { name, scope: 'operate' } })).json as { id: string }).id
  const [kept, gone] = [await makeToken('ada'), await makeToken('bob')]
  await hub.call('DELETE', `/tokens/${gone}`)
  await hub.database().query(
    `insert into webhook_secrets (id, connection_id, secret_json, encrypted, created_at, installed_at)
    values (gen_random_uuid(), $1, '{"secret":"s3cret"}', false, now(), now())`,
    [shop]
  )

  t.match(await run(backup), {
    code: 0,
    stdout: /^\S+nightly\.backup\.gz: \d+ rows, \d+ bytes, the state at 20\S+\n?$/,
    stderr: /^WARNING: \d+ credentials and secrets in the file are not encrypted.*\n?$/
  })
  await hub.call('DELETE', `/tokens/${kept}`)
  const restored = join(hub.directory, 'restored')
  const { code, stdout } = await run(restore, { LINKER_DATA_DIR: restored })
  t.equal(code, 0)
  t.match(stdout, /^Restored \d+ rows into the embedded/)
  t.match(stdout, new RegExp(`linker tokens revoke .*\\nNAME .*\\nada +operate +\\S+Z +never +${kept}\\n`))
  t.match(stdout, new RegExp(`linker webhook install .*\\nCONNECTION .*\\nMy shop +\\S+Z +\\S+Z +${shop}\\n`))
  t.notMatch(stdout, /bob|s3cret/)
  const json = await run([...restore, '--json'], { LINKER_DATA_DIR: join(hub.directory, 'again') })
  t.match(JSON.parse(json.stdout), {
    revived: {
      tokens: [{ id: kept, name: 'ada', scope: 'operate', expiresAt: null }],
      webhookSecrets: [{ connectionId: shop, connectionName: 'My shop' }]
    }
  })
  await hub.restart({ variables: { LINKER_DATA_DIR: restored } })
  t.match(await nameOfShop(), { name: 'My shop', status: 'active' })
  refused(t, await run(transfer, { LINKER_DATA_DIR: restored }), /LNK_DATA_DIRECTORY_LOCKED/)
  await hub.stop()

  const direct = await run(['backup', '--json', '--out', 'direct.gz'])
  t.match(JSON.parse(direct.stdout), { mode: 'embedded', plainSecrets: 2 })
  refused(t, await run(['backup', '--url', hub.url]), /does not answer/)
  refused(t, await run(['restore', 'linker.config.json']), /LNK_BACKUP_DAMAGED/)

  const mode = fullestMode({ ...process.env, LINKER_TEST_MODES: undefined })
  if (mode === 'embedded') return
  const place = await openMode(mode, process.env)
  t.teardown(() => place.close())
  const { DATABASE_URL: databaseUrl = '', REDIS_URL: redisUrl } = place.variables
  const to = transfer.map(part => part.startsWith('postgres:') ? databaseUrl : part).map(part =>
    part.startsWith('redis:') ? redisUrl ?? '' : part
  )
  const options = redisUrl === undefined ? to.slice(0, -2) : to

  await hub.restart({ variables: place.variables })
  const warning = /holds an embedded database: stop the hub and run `linker transfer`/
  t.ok(hub.log.some(line => warning.test(line)))
  t.match((await run(['doctor'], place.variables)).stdout, warning)
  refused(
    t,
    await run(options),
    new RegExp(`LNK_RESTORE_TARGET: .* target database postgres.*/${new URL(databaseUrl).pathname.slice(1)}\\.`)
  )
  await hub.stop()

  const moved = await run(options)
  t.match(moved, { code: 0, stdout: /^Transferred \d+ rows\. Start the hub with these settings/ })
  t.match(moved.stdout, `  DATABASE_URL=${databaseUrl}`)
  refused(
    t,
    await run(['start']),
    /LNK_STATE_MOVED: The state of this hub was moved to postgres(?:ql)?:.* delete '.*moved\.txt'/
  )
  refused(t, await run(options), /LNK_STATE_MOVED: The state of this hub was moved to postgres(?:ql)?:/)
  await hub.restart({ variables: place.variables })
  t.match(await nameOfShop(), { name: 'My shop', status: 'active' })
})

t.test('an order that was made in the shop after the backup is not made again', async t => {
  const mode = cheapestMode(process.env)
  const { hub, marketId, offer, poll, orderWhen, settle } = await openShopAndMarket(t, { mode })
  const file = join(hub.directory, 'before.backup.gz')
  const access = ['--url', hub.url, '--token', hub.keys.admin]
  t.match(await runLinker(['backup', '--out', file, ...access], hub.directory), { code: 0 })
  const placed = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 1 }] })
  await poll()
  const made = await orderWhen(placed, 'created')
  await settle()
  await hub.stop()

  const place = await openMode(mode, process.env)
  t.teardown(() => place.close())
  const next = { ...place.variables, LINKER_DATA_DIR: join(hub.directory, 'restored') }
  t.match(await runLinker(['restore', file], hub.directory, next), { code: 0 })
  await hub.restart({ variables: next })
  // The old hub has taken the event of the order out of the inbox of the marketplace.
  const sweep = ['orders', 'sweep', marketId, '--url', hub.url, '--token', hub.keys.admin]
  t.match(await runLinker(sweep, hub.directory), { code: 0 })
  const found = await orderWhen(placed, 'created')
  await settle()

  t.equal(hub.shop.orders().length, 1)
  // The status is that of the shop, which the hub reads later.
  t.equal(found.destination?.externalId, made.destination?.externalId)
})

t.test('one backup at a time', async t => {
  const hub = await buildTestHub(t, { mode: 'embedded' })
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // The only connection of the embedded database is taken, so the backup that comes first waits.
  const holding = hub.database().transaction(async ({ query }) => {
    await query('select 1')
    begun.resolve()
    await end.promise
  })
  await begun.promise
  const calls = [hub.call('POST', '/backup'), hub.call('POST', '/backup')]
  t.match(problemOf(await Promise.race(calls)), { status: 409, code: 'LNK_BACKUP_RUNNING' })
  end.resolve()
  await holding

  const answers = await Promise.all(calls)
  t.match(answers.find(({ status }) => status === 200)?.headers, { 'content-type': 'application/gzip' })
  t.equal((await hub.call('POST', '/backup')).status, 200)
})
