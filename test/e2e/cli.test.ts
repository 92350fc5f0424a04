import { sampleProducts, startMktB, startShopA } from '@linker/simulators'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { createApi, eventually } from '../support/api.ts'
import { openProject, refused } from '../support/command.ts'
import { runLinker, startHubProcess } from '../support/hub-process.ts'
import { endOf } from '../support/hub.ts'
import { cheapestMode, openMode } from '../support/modes.ts'
import { pattern } from '../support/pattern.ts'

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/

t.test('commands that need no hub', async t => {
  const directory = await openProject(t)

  t.test('--version and --help answer, and an unknown command is refused', async t => {
    const [version, help, unknown] = await Promise.all([
      runLinker(['--version'], directory),
      runLinker(['--help'], directory),
      runLinker(['nonsense'], directory)
    ])

    t.match(version, { code: 0, stdout: /^\d+\.\d+\.\d+\n$/, stderr: '' })
    t.match(help, { code: 0, stdout: /start.*migrate.*adapters.*connections.*webhook.*token/s })
    refused(t, unknown, /unknown command 'nonsense'/)
  })

  t.test('completion prints scripts for shells, and completes commands and options without a hub', async t => {
    const complete = async (...words: string[]) =>
      (await runLinker(['complete', '--', ...words], directory)).stdout.split('\n')
    for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
      t.match(await runLinker(['completion', shell], directory), { code: 0, stdout: /linker/ }, shell)
    }
    t.match(await complete('jobs', 'li'), [/^list\t/])
    t.match(await complete('jobs', 'list', '--stat'), [/^--status\t/])
    t.strictSame(await complete('connections', 'show', ''), [':4', ''])
  })

  t.test('completion works in a bash without the package bash-completion, also when it is read twice', async t => {
    const { stdout: script } = await runLinker(['completion', 'bash'], directory)
    const lines = [
      // Only a completion that the shell itself begins may change its options.
      'compopt() { :; }',
      'linker() { printf "list\\tlist jobs\\n:4\\n"; }',
      'source <(printf %s "$SCRIPT"); source <(printf %s "$SCRIPT")',
      'eval "$SCRIPT"; declare -F _get_comp_words_by_ref',
      'COMP_WORDS=(linker jobs li); COMP_CWORD=2; __linker_complete; echo "${COMPREPLY[*]}"'
    ]
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', lines.join('\n')], {
      env: { PATH: process.env.PATH, SCRIPT: script }
    })

    t.equal(stdout, 'list\n')
    t.equal(stderr, '')
  })

  t.test('completion ends although the hub accepts the request and does not answer', async t => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1')
    t.teardown(() => {
      silent.close()
      silent.closeAllConnections()
    })
    await once(silent, 'listening')
    const asked = once(silent, 'request')
    const { port } = silent.address() as AddressInfo
    const words = ['complete', '--', 'connections', 'show', '']
    const found = await runLinker(words, directory, {
      LINKER_URL: `http://127.0.0.1:${port}`,
      LINKER_TOKEN: 'x'.repeat(32)
    })

    await asked
    t.match(found, { code: 0, stdout: ':4\n', stderr: '' })
  })

  t.test('adapters lists what serves, and ends 1 with the reason when one does not', async t => {
    const broken = await openProject(t, { adapters: ['@linker/adapter-mktb-v1', '@acme/adapter-nowhere'] })
    const [table, json, failing] = await Promise.all([
      runLinker(['adapters'], directory),
      runLinker(['adapters', '--json'], directory),
      runLinker(['adapters'], broken)
    ])

    t.match(table, {
      code: 0,
      stdout: /shopa\.webservice\.v1 +\d.*ready.*InventoryMaster.*mkta\.publicapi\.v1.*mktb\.shopapi\.v1/s
    })
    t.match(JSON.parse(json.stdout), [{ adapterKey: 'shopa.webservice.v1', state: 'ready', error: null }, {
      adapterKey: 'mkta.publicapi.v1'
    }, { adapterKey: 'mktb.shopapi.v1' }])
    t.match(failing, { code: 1, stdout: /mktb\.shopapi\.v1.*LNK_ADAPTER_NOT_INSTALLED.*@acme\/adapter-nowhere/s })
  })

  t.test('token makes a token once, for its owner only; ADMIN_TOKEN wins', async t => {
    const first = await runLinker(['token'], directory)
    const [second, given] = await Promise.all([
      runLinker(['token'], directory),
      runLinker(['token'], directory, { ADMIN_TOKEN: 'x'.repeat(32) })
    ])

    t.match(first, { code: 0, stdout: /^[\w-]{43}\n$/ })
    t.equal(second.stdout, first.stdout)
    t.equal(given.stdout, `${'x'.repeat(32)}\n`)
    t.equal((await stat(join(directory, '.linker', 'admin-token'))).mode & 0o777, 0o600)
  })

  t.test('token rotate replaces the token, unless ADMIN_TOKEN gives it', async t => {
    const former = (await runLinker(['token'], directory)).stdout
    const rotated = await runLinker(['token', 'rotate', '--overlap-hours', '0'], directory)

    t.match(rotated, { code: 0, stdout: /^[\w-]{43}\n$/, stderr: 'the former token has ended\n' })
    t.not(rotated.stdout, former)
    t.equal((await runLinker(['token'], directory)).stdout, rotated.stdout)
    t.match(await runLinker(['token', 'rotate'], directory, { ADMIN_TOKEN: 'x'.repeat(32) }), {
      code: 1,
      stderr: /ADMIN_TOKEN sets/
    })
    t.match(await runLinker(['token', 'rotate', '--overlap-hours', '-1'], directory), {
      code: 1,
      stderr: /from 0 to 720/
    })
  })

  t.test('config --explain lists every variable', async t => {
    const { code, stdout } = await runLinker(['config', '--explain'], directory)

    t.equal(code, 0)
    for (
      const name of [
        'HOST',
        'PORT',
        'ADMIN_TOKEN',
        'LINKER_URL',
        'LINKER_TOKEN',
        'DATABASE_URL',
        'REDIS_URL',
        'LINKER_CONFIG',
        'LINKER_DATA_DIR',
        'LINKER_ROLE',
        'LINKER_PUBLIC_URL',
        'LINKER_WEBHOOK_SKEW_MS',
        'LINKER_WEBHOOK_MOST_BYTES',
        'LINKER_WEBHOOK_KEPT_DAYS',
        'LINKER_PERSONAL_DATA_DAYS',
        'LINKER_BATCHES_DAYS',
        'LINKER_STREAM_BYTES',
        'LINKER_CREDENTIALS_KEY',
        'LINKER_CREDENTIALS_ENCRYPTION',
        'LINKER_TRACE',
        'LINKER_FROZEN',
        'LINKER_DOCS',
        'LINKER_CONSOLE',
        'LOG_LEVEL'
      ]
    ) t.match(stdout, new RegExp(`^${name}\\b`, 'm'))
  })

  t.test('a command that cannot run says why in one line', async t => {
    const send = [
      'webhook',
      'send',
      '--provider',
      'shopa',
      '--connection',
      '00000000-0000-4000-8000-000000000000',
      '--type',
      'stock.changed',
      '--object',
      'stock',
      '--external-id',
      '27'
    ]
    const create = ['connections', 'create', '--platform', 'shopa', '--name', 'Shop']
    const token = ['--token', 'x'.repeat(32)]
    const cases: [string[], Record<string, string>, RegExp][] = [
      [
        ['connections', 'list', ...token],
        { PORT: '1' },
        /the hub at http:\/\/127\.0\.0\.1:1 does not answer .*is it running\?/
      ],
      [['connections', 'list', ...token], { HOST: '::', PORT: '1' }, /the hub at http:\/\/\[::1\]:1 does not answer/],
      [['connections', 'list', ...token, '--url', 'nonsense'], {}, /--url 'nonsense' is not an address/],
      [
        ['connections', 'list'],
        { LINKER_DATA_DIR: 'elsewhere' },
        /no token: set LINKER_TOKEN, pass --token, or run this command where .*elsewhere/
      ],
      [[...create, ...token, '--config', '{'], {}, /--config is not JSON/],
      [[...create, ...token, '--credentials', '{"apiKey":"secret-in-here"'], {}, /--credentials is not JSON\n$/],
      [['connections', 'create', '--platform', 'shopa'], {}, /required option '--name <name>'/],
      [
        send,
        {},
        pattern(
          /no secret: pass --secret-file, or set LINKER_WEBHOOK_SECRET__SHOPA__00000000000040008000000000000/,
          /000 or LINKER_WEBHOOK_SECRET__SHOPA; the hub never shows the secret of an install\n/
        )
      ],
      [[...send, '--secret', 's', '--payload', 'x'], {}, /--payload is not JSON/],
      [[...send, '--secret', 's', '--url', 'http://127.0.0.1:1'], {}, /127\.0\.0\.1:1.* does not answer/]
    ]
    for (const [args, variables, message] of cases) refused(t, await runLinker(args, directory, variables), message)
  })
})

t.test('commands against a running hub', async t => {
  const keys = {
    shop: randomBytes(16).toString('hex'),
    market: randomBytes(16).toString('hex'),
    admin: randomBytes(32).toString('hex'),
    webhook: randomBytes(32).toString('hex')
  }
  const shop = await startShopA({ apiKey: keys.shop, products: sampleProducts })
  t.teardown(() => shop.close())
  const market = await startMktB({ apiKey: keys.market, lagMs: 0 })
  t.teardown(() => market.close())
  const place = await openMode(cheapestMode(process.env), process.env)
  t.teardown(() => place.close())
  // The tests count requests at the shop, so no sweep may run by the clock.
  const directory = await openProject(t, {
    platforms: { mktb: { production: { baseUrl: market.baseUrl } } },
    schedules: {
      'master-inventory-sweep': { enabled: false },
      'marketplace-offers-sync': { enabled: false },
      'marketplace-orders-sweep': { enabled: false }
    }
  })
  const variables = {
    ...place.variables,
    ADMIN_TOKEN: keys.admin,
    LINKER_WEBHOOK_SECRET__SHOPA: keys.webhook,
    LINKER_WEBHOOK_SECRET__MKTB: keys.webhook
  }
  const hub = await startHubProcess(directory, variables)
  t.teardown(() => hub.kill())
  const call = createApi(hub.url, keys.admin)
  const here = { ...variables, PORT: new URL(hub.url).port }
  const linker = (args: string[], input?: string) => runLinker(args, directory, here, input)
  const credentials = JSON.stringify({ apiUrl: shop.apiUrl, apiKey: keys.shop })
  let shopId = ''
  let marketId = ''

  t.test('connections create makes a connection and tests it', async t => {
    const created = await linker([
      'connections',
      'create',
      '--platform',
      'shopa',
      '--name',
      'My shop',
      '--config',
      '{"shopId":"1","paymentModule":"wirepayment"}',
      '--credentials',
      credentials
    ])
    const piped = await linker([
      'connections',
      'create',
      '--platform',
      'mktb',
      '--name',
      'Marketplace',
      '--credentials',
      '-'
    ], `${keys.market}\n`)
    shopId = uuid.exec(created.stdout)?.[0] ?? ''
    marketId = uuid.exec(piped.stdout)?.[0] ?? ''

    t.match(created, {
      code: 0,
      stdout: /^[0-9a-f-]{36} {2}shopa\.webservice\.v1@\d+\.\d+\.\d+\nok {2}.*\(\d+ ms\)\n$/,
      stderr: ''
    })
    t.match(piped, { code: 0, stdout: /ok {2}.*my-shop/ })
    t.match((await call('GET', `/connections/${shopId}`)).json, { name: 'My shop', config: { shopId: '1' } })
  })

  t.test('connections create ends 1 when the platform refuses, and says what the hub refuses', async t => {
    const wrongKey = await linker([
      'connections',
      'create',
      '--platform',
      'mktb',
      '--name',
      'Wrong key',
      '--credentials',
      'wrong'
    ])
    const wrongConfig = await linker([
      'connections',
      'create',
      '--platform',
      'shopa',
      '--name',
      'Wrong config',
      '--config',
      '{"shopId":"x"}',
      '--credentials',
      credentials
    ])
    const unknown = await linker([
      'connections',
      'create',
      '--platform',
      'nobody',
      '--name',
      'Nobody',
      '--credentials',
      'k'
    ])
    const stranger = await linker(['connections', 'list', '--token', 'x'.repeat(32)])

    t.match(wrongKey, { code: 1, stdout: /failed {2}.*refused the API key.*\nThe connection was created, but/ })
    const id = uuid.exec(wrongKey.stdout)?.[0] ?? ''
    t.strictSame(wrongKey.stdout.trimEnd().split('\n').slice(-3), [
      `  linker connections edit ${id} --config key=value`,
      `  linker connections credentials ${id}`,
      `  linker connections test ${id}`
    ])
    refused(t, wrongConfig, /^linker: 400 LNK_CONNECTION_INVALID\n {2}\/config\/shopId: [^\n]*\n$/)
    refused(t, unknown, /400 LNK_PLATFORM_UNKNOWN: .*'nobody'/)
    refused(t, stranger, /401 LNK_UNAUTHORIZED: .*refuses the token from --token: it is wrong.*`linker token`/)
  })

  t.test('connections list shows them as a table or JSON, filtered', async t => {
    const [table, shops, json] = [
      await linker(['connections', 'list']),
      await linker(['connections', 'list', '--platform', 'shopa']),
      await linker(['connections', 'list', '--status', 'error', '--json'])
    ]

    t.match(table, {
      code: 0,
      stdout:
        /^ID +PLATFORM +NAME +ACCOUNT +STATUS.*My shop .* active.*Marketplace +my-shop .*Wrong key +error.*refused the/s
    })
    t.equal(shops.stdout.trim().split('\n').length, 2)
    t.match(JSON.parse(json.stdout), [{ name: 'Wrong key', platformType: 'mktb' }])
  })

  t.test('connections test', async t => {
    t.match(await linker(['connections', 'test', shopId]), { code: 0, stdout: /^ok {2}/ })
    refused(
      t,
      await linker(['connections', 'test', '00000000-0000-4000-8000-000000000000']),
      /404 LNK_CONNECTION_NOT_FOUND/
    )
    t.match(await linker(['connections', 'test', 'My shop']), { code: 0, stdout: /^ok {2}/ })
    refused(
      t,
      await linker(['connections', 'test', '../jobs']),
      /no connection is called '\.\.\/jobs'; existing names: 'My shop'/
    )
  })

  t.test('tokens are made, listed, used and revoked, by name', async t => {
    const made = await linker(['tokens', 'create', '--name', 'a colleague', '--scope', 'read', '--days', '90'])
    const token = made.stdout.trim()
    const asColleague = (args: string[], variables = { ...here, LINKER_TOKEN: token }) =>
      runLinker(args, directory, variables)

    t.match(made, { code: 0, stdout: /^lnk_[\w-]{43}\n$/, stderr: /^a colleague: read, until \d{4}-.*store it now/ })
    t.match(await asColleague(['connections', 'list']), { code: 0, stdout: /My shop/ })
    t.match(await asColleague(['connections', 'rollback', shopId]), {
      code: 1,
      stderr: /^linker: 403 LNK_FORBIDDEN: Token 'a colleague' has the scope 'read'; this request needs 'admin'\n$/
    })
    t.match(await linker(['tokens', 'list']), {
      code: 0,
      stdout: /^NAME .*\na colleague +read +\d{4}-\S+ +\d{4}-\S+ +\(own token\) +[0-9a-f-]{36}\n$/
    })
    t.match(JSON.parse((await linker(['tokens', 'list', '--json'])).stdout), [{ name: 'a colleague', scope: 'read' }])
    t.match(await linker(['tokens', 'revoke', 'nobody']), {
      code: 1,
      stderr: "linker: no token is called 'nobody'; existing names: 'a colleague'\n"
    })
    t.match(await linker(['tokens', 'create', '--name', 'x', '--scope', 'read', '--days', '0']), {
      code: 1,
      stderr: /--days.*whole number from 1 to 3650/
    })
    t.match(await linker(['tokens', 'create', '--name', 'x', '--scope', 'write']), { code: 1, stderr: /\/scope/ })
    t.match(await linker(['tokens', 'revoke', 'a colleague']), { code: 0, stdout: 'revoked a colleague\n' })
    t.match(await asColleague(['connections', 'list']), {
      code: 1,
      stderr: /^linker: 401 LNK_UNAUTHORIZED: the hub at \S+ refuses the token from LINKER_TOKEN: it is wrong, revoked/
    })
  })

  t.test('webhook send signs with the secret of the environment and prints the id of the job', async t => {
    const send = (...more: string[]) =>
      linker([
        'webhook',
        'send',
        '--provider',
        'shopa',
        '--connection',
        shopId,
        '--type',
        'product.saved',
        '--object',
        'product',
        '--external-id',
        '27',
        ...more
      ])
    const [accepted, forged, odd] = [
      await send('--payload', '{"a":1}'),
      await send('--secret', 'another'),
      await send('--event-id', 'not an id')
    ]
    const jobId = uuid.exec(accepted.stdout)?.[0] ?? ''

    t.match(accepted, { code: 0, stdout: /^202 [0-9a-f-]{36}\n$/ })
    t.equal((await endOf(call, jobId)).status, 'succeeded')
    t.match(forged, { code: 1, stdout: /^401 .*LNK_SIGNATURE_MISMATCH/s })
    t.match(odd, { code: 1, stdout: /^400 .*LNK_WEBHOOK_MALFORMED.*eventId/s })
    const bearer = [
      'webhook',
      'send',
      '--provider',
      'mktb',
      '--connection',
      marketId,
      '--type',
      'order.created',
      '--object',
      'order',
      '--external-id',
      'none'
    ]
    t.match(
      await linker(bearer),
      { code: 0, stdout: /^202 / },
      'as the platform does, whose deliveries carry the secret'
    )
  })

  t.test('webhook send says that the hub ignored an event, and the command it names shows the delivery', async t => {
    const sent = await linker([
      'webhook',
      'send',
      'My shop',
      '--type',
      'nothing.known',
      '--object',
      'product',
      '--external-id',
      '27'
    ])
    const [, id = ''] = / {2}linker deliveries show (\S+)\n/.exec(sent.stdout) ?? []

    t.match(sent, { code: 0, stdout: `202 ${id}\nThe hub accepted the event but ignored it (unknown-event-type)` })
    const shown = await eventually('the delivery', async () => {
      const { code, stdout } = await linker(['deliveries', 'show', id])
      return code === 0 ? stdout : undefined
    })
    t.match(shown, /^status +ignored/m)
  })

  t.test('webhook send takes a connection by its name, and the secret from standard input', async t => {
    const event = ['--type', 'stock.changed', '--external-id', '27']
    const send = (args: string[], input?: string) => linker(['webhook', 'send', ...args, ...event], input)

    const accepted = await send(['My shop'])
    t.match(accepted, { code: 0, stdout: /^202 [0-9a-f-]{36}\n$/ })
    const job = await endOf(call, uuid.exec(accepted.stdout)?.[0] ?? '')
    t.match(job, { payload: { objectType: 'stock', externalId: '27' } }, 'the first word of the event type')
    t.match(await send(['My shop', '--secret-file', '-'], 'another\n'), { code: 1, stdout: /LNK_SIGNATURE_MISMATCH/ })
    const both = await send(['My shop', '--provider', 'shopa'])
    const neither = await send([])
    const unknown = await send(['Other'])
    const unset = await runLinker(['webhook', 'send', 'My shop', ...event], directory, {
      ...here,
      LINKER_WEBHOOK_SECRET__SHOPA: ''
    })
    refused(t, both, /but not both/)
    refused(t, neither, /name the connection, or give both/)
    refused(t, unknown, /no connection is called 'Other'/)
    refused(t, unset, /no secret: pass --secret-file, or set LINKER_WEBHOOK_SECRET__SHOPA__[0-9A-F]{32} or /)
  })

  t.test('stock shows quantities and offers; stock reconcile compares, or only says what it would change', async t => {
    const reconciled = await linker(['stock', 'reconcile', '--connection', shopId])
    const jobId = reconciled.stdout.trim()
    t.match(await endOf(call, jobId), { jobType: 'master.inventory.syncAll', status: 'succeeded' })
    shop.setStock(27, 101, 1)
    const [table, json, drifting, preview, unnamed] = await Promise.all([
      linker(['stock', '--connection', shopId]),
      linker(['stock', '--json']),
      linker(['stock', '--drift']),
      linker(['stock', 'reconcile', '--connection', shopId, '--dry-run']),
      linker(['stock', 'reconcile', '--dry-run'])
    ])

    t.match(reconciled, { code: 0, stdout: /^[0-9a-f-]{36}\n$/, stderr: '' })
    t.match(table, { code: 0, stdout: /^NAME +SKU +QUANTITY +RESERVED.*\n\S.* \d+ +0 +[0-9a-f-]{36}/ })
    t.match(JSON.parse(json.stdout), [{ variantId: uuid, quantity: Number, offers: { length: 0 } }])
    t.equal(drifting.stdout.trim().split('\n').length, 1)
    t.match(preview, { code: 0, stdout: /27 +101 +\d+ +1\n\d+ seen, 1 would change, 0 missing\n$/ })
    refused(t, unnamed, /need --connection/)
  })

  t.test('stock confirm lets the offers follow stock that jumped', async t => {
    const edited = await linker(['connections', 'edit', shopId, '--setting', 'confirmStockJump=50'])
    shop.setStock(27, 101, 5_000)
    const sweep = async () => endOf(call, (await linker(['stock', 'reconcile', '--connection', shopId])).stdout.trim())
    await sweep()
    const [shown, jumped] = await Promise.all([
      linker(['connections', 'show', shopId]),
      linker(['stock', '--jumped', '--connection', shopId])
    ])
    const [neither, confirmed, again] = [
      await linker(['stock', 'confirm']),
      await linker(['stock', 'confirm', '--connection', shopId]),
      await linker(['stock', 'confirm', '--connection', shopId, '--json'])
    ]
    await linker(['connections', 'edit', shopId, '--setting', 'confirmStockJump='])
    shop.setStock(27, 101, 1)
    await sweep()

    t.match(edited, { code: 0, stdout: /^changed / })
    t.match(shown.stdout, /settings\.confirmStockJump +50/)
    t.match(jumped.stdout, /5000 \(jumped, offers go by \d+\)/)
    refused(t, neither, /give a variant or --connection/)
    t.match(confirmed, { code: 0, stdout: 'confirmed the stock of 1 variant; its offers follow\n' })
    t.strictSame(JSON.parse(again.stdout), { confirmed: 0, jobIds: [] })
  })

  t.test('stock reconcile --dry-run lists what --drift lists of a marketplace, and why it stays', async t => {
    const [variant] = (await call('GET', `/stock?connectionId=${shopId}`)).json as { variantId: string }[]
    const variantId = variant?.variantId ?? ''
    market.addProduct(variantId, { stock: 50 })
    market.freeze(variantId, ['stock'])
    await call('POST', '/offers/link', { body: { connectionId: marketId, variantId, externalId: variantId } })
    await eventually(
      'the end of the write',
      async () =>
        (await linker(['stock', 'reconcile', '--connection', marketId, '--dry-run'])).stdout.includes('frozen')
          ? true
          : undefined
    )
    const [drifting, preview] = await Promise.all([
      linker(['stock', '--drift', '--connection', marketId]),
      linker(['stock', 'reconcile', '--connection', marketId, '--dry-run'])
    ])

    t.match(drifting.stdout, new RegExp(`^NAME.*\\n.*stock-frozen, oversell +${variantId} `))
    t.match(preview, {
      code: 0,
      stdout:
        new RegExp(`^PRODUCT.*STAYS BECAUSE\\n +${variantId} +\\d+ +frozen\\n1 seen, 0 would change, 1 would stay ` +
          `different, 0 missing\\n$`)
    })
  })

  t.test('offers link links a variant of the shop to an offer, by the names of the connections', async t => {
    market.addProduct('mug-red', { name: 'Mug', price: 10_000, stock: 8 })
    const second = await linker([
      'connections',
      'create',
      '--platform',
      'mktb',
      '--name',
      'Second market',
      '--allow-same-account',
      '--credentials',
      keys.market
    ])
    const secondId = uuid.exec(second.stdout)?.[0] ?? ''
    const link = (...more: string[]) =>
      linker(['offers', 'link', '--marketplace', 'Second market', '--shop', 'My shop', '--offer', 'mug-red', ...more])
    const [unsaid, wrong, nowhere] = [
      await link('--product', '27'),
      await link('--product', '27', '--variant', '7'),
      await link('--product', '4711')
    ]

    const linked = await link('--product', '27', '--variant', '101')

    refused(t, unsaid, /product 27 has the variants 101, 102: choose one with --variant/)
    refused(t, wrong, /product 27 has the variants 101, 102/)
    refused(t, nowhere, /the hub knows no product 4711 of this shop/)
    t.match(linked, { code: 0, stdout: /^[0-9a-f-]{36} {2}variant [0-9a-f-]{36} sells as mug-red\n$/ })
    t.match((await call('GET', `/offers?connectionId=${secondId}`)).json, [{ externalId: 'mug-red' }])
  })

  t.test('SIGTERM ends the hub with 0; the jobs that were running go back and lose no attempt', async t => {
    shop.faults.add({ path: /combinations/, delayMs: 60_000 })
    const asked = shop.requests.matching({ path: /combinations/ }).length
    const { json } = await call('POST', '/jobs', {
      body: { jobType: 'shopa.inventory.syncByExternalId', connectionId: shopId, payload: { externalId: '27' } }
    })
    const { jobId } = json as { jobId: string }
    await eventually(
      'the call to the shop',
      async () => shop.requests.matching({ path: /combinations/ }).length > asked ? true : undefined
    )
    const running = await call('GET', `/jobs/${jobId}`)
    const code = await hub.stop('SIGTERM')
    const second = await startHubProcess(directory, variables)
    t.teardown(() => second.kill())
    const ended = await endOf(createApi(second.url, keys.admin), jobId)

    t.match(running.json, { status: 'running' })
    t.equal(code, 0, 'it did not wait for the shop: who stops too slowly ends 1')
    t.match(ended, { status: 'succeeded', problem: null })
    t.equal(ended.attempts.length, 1, 'the broken-off run left no trace')
    t.equal(await second.stop(), 0)
  })
})
