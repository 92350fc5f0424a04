import { once } from 'node:events'
import { chmod, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import t, { type Test } from 'tap'
import { createApi, eventually } from '../support/api.ts'
import { openProject } from '../support/command.ts'
import { serverVariable } from '../support/databases.ts'
import { runLinker, startHubProcess } from '../support/hub-process.ts'
import { availableModes, openMode } from '../support/modes.ts'
import { pattern } from '../support/pattern.ts'

interface Finding {
  mark: string
  check: string
  message: string
  remedy?: string
}

const admin = 'a-token-of-more-than-thirty-two-characters'
const key = (name: string): string => `${name}:${Buffer.alloc(32, name).toString('base64')}`
// No server listens at this port.
const nowhere = { PORT: '1' }

async function doctor (
  directory: string,
  variables: Record<string, string> = nowhere
): Promise<{ code: number | null, checks: Finding[], of(check: string): Finding[] }> {
  const { code, stdout, stderr } = await runLinker(['doctor', '--json'], directory, variables)
  if (stdout === '') throw new Error(`the doctor ended ${code}: ${stderr}`)
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean, checks: Finding[] }
  if (ok !== (code === 0)) throw new Error('the exit code says something else than the answer')
  return { code, checks, of: check => checks.filter(finding => finding.check === check) }
}

t.test('a project that never started is well, and is left as it was', async t => {
  const directory = await openProject(t)
  const files = await readdir(directory)
  const { code, stdout, stderr } = await runLinker(['doctor'], directory, {
    ...nowhere,
    LINKER_CREDENTIALS_KEY: key('k1')
  })

  t.equal(code, 0)
  t.equal(stderr, '')
  t.match(
    stdout,
    pattern(
      /^✓ configuration +.*linker\.config\.json\n✓ node +\d+.*\n✓ data /,
      /directory .*\n✓ token +the first start creates it.*\n✓ credentials +encrypted.*\n/,
      /✓ linker\.lock +does not exist.*\n✓ database +embedded; .*\n✓ hub +no hub /,
      /answers.*\n✓ adapter +shopa\.webservice\.v1@\S+ is ready\n/
    )
  )
  t.notMatch(stdout, /[!✗]/)
  t.strictSame(await readdir(directory), files)
})

/** Starts a server that answers the doctor like a hub that has lost a server. Returns its port. */
async function redHub (t: Test, lost: 'database' | 'streams'): Promise<string> {
  const system = { mode: 'full', dataDirectory: '', configurationFile: '', credentialKeys: [] }
  const answers: Readonly<Record<string, [status: number, body: unknown]>> = {
    '/readyz': [503, {
      status: 'failed',
      checks: [{ name: lost, status: 'failed', message: `the ${lost} does not answer` }]
    }],
    '/system': lost === 'database' ? [503, { code: 'LNK_DATABASE_UNAVAILABLE', detail: 'away' }] : [200, system]
  }
  const server = createHttpServer((request, response) => {
    const [status, body] = answers[request.url ?? ''] ?? [200, []]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return String((server.address() as AddressInfo).port)
}

t.test('a hub that is not ready says why, whichever server it has lost', async t => {
  const directory = await openProject(t)
  for (const lost of ['database', 'streams'] as const) {
    const { of } = await doctor(directory, { PORT: await redHub(t, lost), ADMIN_TOKEN: admin })
    t.match(of('hub')[0], { mark: 'warning', message: lost })
  }
})

t.test('the doctor tells when another server answers in place of the hub', async t => {
  const server = createHttpServer((_request, response) => {
    response.writeHead(503).end('<html>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const port = String((server.address() as AddressInfo).port)
  const { of } = await doctor(await openProject(t), { PORT: port, ADMIN_TOKEN: admin })

  t.match(of('hub')[0], { mark: 'failed', message: /is not a hub/ })
})

t.test('the doctor reports a missing configuration file, and fails when the operator has named it', async t => {
  const directory = await openProject(t)
  await rm(join(directory, 'linker.config.json'))

  const without = await doctor(directory)
  const named = await doctor(directory, { ...nowhere, LINKER_CONFIG: 'nowhere.json' })

  t.match(without.of('configuration'), [{
    mark: 'ok',
    message: /linker\.config\.json does not exist/
  }])
  t.match(named, {
    code: 1,
    checks: [{
      mark: 'failed',
      check: 'configuration',
      message: /cannot read .*nowhere\.json', the file that LINKER_CONFIG names/
    }]
  })
})

t.test('doctor names every fault with its remedy: one fault does not hide the others', async t => {
  const directory = await openProject(t, {
    adapters: ['@linker/adapter-shopa-v1', '@acme/nowhere'],
    defaults: { mktb: 'mktb.shopapi.v1' }
  })
  await runLinker(['token'], directory)
  await chmod(join(directory, '.linker', 'admin-token'), 0o644)
  await writeFile(join(directory, 'linker.lock'), '{"lockVersion":1,"adapters":{}}')
  const plain = await doctor(directory, {
    ...nowhere,
    DATABASE_URL: 'postgresql://postgres:the-password@127.0.0.1:1/linker',
    REDIS_URL: 'redis://:the-password@127.0.0.1:1'
  })
  const production = await doctor(directory, {
    ...nowhere,
    NODE_ENV: 'production',
    LINKER_FROZEN: 'on',
    LINKER_DATA_DIR: join(directory, 'linker.lock', 'below-a-file')
  })
  const unread = await doctor(directory, { PORT: 'x' })

  t.equal(plain.code, 1)
  t.match(plain.of('token'), [{ mark: 'warning', message: /other users can read/, remedy: /chmod 600/ }])
  t.match(plain.of('credentials'), [{
    mark: 'warning',
    message: /^the next start does not encrypt new/,
    remedy: /32 random bytes/
  }])
  t.match(plain.of('linker.lock'), [{
    mark: 'warning',
    message: /shopa\.webservice\.v1@\S+ .*is not in linker\.lock/,
    remedy: /linker scan/
  }])
  t.match(plain.of('database'), [{
    mark: 'failed',
    message: /127\.0\.0\.1:1\/linker: .*ECONNREFUSED/,
    remedy: /DATABASE_URL/
  }])
  t.match(plain.of('redis'), [{ mark: 'failed', message: /127\.0\.0\.1:1 does not answer/, remedy: /REDIS_URL/ }])
  t.match(plain.of('adapter'), [{ mark: 'ok' }, {
    mark: 'failed',
    message: /@acme\/nowhere is failed\. LNK_ADAPTER_NOT_INSTALLED/
  }])
  t.match(plain.of('defaults'), [{ mark: 'failed', message: /'mktb' is mktb\.shopapi\.v1, but no loaded adapter/ }])
  t.notMatch(JSON.stringify(plain.checks), 'the-password')
  t.match(production.of('data directory'), [{
    mark: 'failed',
    message: /linker\.lock is not a directory/,
    remedy: /LINKER_DATA_DIR/
  }])
  t.match(production.of('credentials'), [{ mark: 'failed', message: /NODE_ENV=production/ }])
  t.match(production.of('linker.lock'), [{ mark: 'failed', message: /does not start with --frozen/ }])
  t.match(unread, { code: 1, checks: [{ mark: 'failed', check: 'configuration', message: /PORT must be integer/ }] })
})

t.test('a hub that runs is asked; one that stopped left its database; one that hides is said', async t => {
  const directory = await openProject(t, { adapters: ['@linker/adapter-shopa-v1', '@linker/adapter-mktb-v1'] })
  const variables = { ADMIN_TOKEN: admin, LINKER_CREDENTIALS_KEY: key('k1') }
  const hub = await startHubProcess(directory, variables)
  t.teardown(() => hub.kill())
  const call = createApi(hub.url, admin)
  const create = async (platformType: string, credentials: unknown): Promise<string> => {
    const { json, text } = await call('POST', '/connections', {
      body: { name: `My ${platformType}`, platformType, credentials }
    })
    const { id } = json as { id?: string }
    if (id === undefined) throw new Error(text)
    return id
  }
  const shop = await create('shopa', { apiUrl: 'http://127.0.0.1:9/api', apiKey: 'a'.repeat(32) })
  await create('mktb', 'k'.repeat(32))
  const { json } = await call('POST', '/jobs', {
    body: { jobType: 'marketplace.offerQuantity.update', connectionId: shop, payload: {} }
  })
  await eventually(
    'a dead job',
    async () =>
      ((await call('GET', `/jobs/${(json as { jobId: string }).jobId}`)).json as { status: string }).status === 'dead'
        ? true
        : undefined
  )

  await call('POST', `/connections/${shop}/pause`, { body: { reason: 'inventory' } })
  const paused = {
    mark: 'warning',
    message: /My shopa .* is paused by .* until somebody resumes it: inventory; its jobs/
  }

  const asked = await doctor(directory, { ...variables, PORT: new URL(hub.url).port })
  t.equal(asked.code, 0)
  t.match(asked.of('hub'), [{ mark: 'ok', message: hub.url }])
  t.match(asked.of('database'), [{ mark: 'ok', message: `in use by process ${hub.pid}` }])
  // Jobs of the schedules of 'My mktb' may have died, too.
  const ofShop = ({ message }: Finding): boolean => message.includes("'My shopa'")
  t.match(asked.of('attention').filter(ofShop), [{ mark: 'warning', message: /^'My shopa': the payload of / }])
  t.match(asked.of('connection'), [
    {
      mark: 'warning',
      message: new RegExp(`My shopa \\(${shop}\\) accepts no webhooks`),
      remedy: `LINKER_WEBHOOK_SECRET__SHOPA__${shop.replaceAll('-', '').toUpperCase()} or LINKER_WEBHOOK_SECRET__SHOPA`
    },
    paused
  ])

  const elsewhere = await doctor(directory, {
    ADMIN_TOKEN: admin,
    PORT: new URL(hub.url).port,
    LINKER_DATA_DIR: join(directory, 'another')
  })
  t.equal(elsewhere.code, 1)
  t.match(elsewhere.of('hub'), [{ mark: 'ok' }, {
    mark: 'warning',
    message: /uses the data directory .*\.linker; the next start from here would use .*another/,
    remedy: /LINKER_DATA_DIR/
  }])
  t.match(elsewhere.of('credentials'), [{ mark: 'warning' }, {
    mark: 'failed',
    message: /encrypted with key 'k1', which is missing in LINKER_CREDENTIALS_KEY here/
  }])

  await writeFile(
    join(directory, 'linker.config.json'),
    JSON.stringify({ adapters: ['@linker/adapter-shopa-v1', '@linker/adapter-mkta-v1', '@acme/nowhere'] })
  )
  const changed = await doctor(directory, { ...variables, PORT: new URL(hub.url).port })
  t.equal(changed.code, 1)
  t.match(changed.of('adapter').filter(({ mark }) => mark !== 'ok').map(({ message }) => message).toSorted(), [
    /^@acme\/nowhere is failed\. LNK_ADAPTER_NOT_INSTALLED/,
    /^the running hub does not have mkta\.publicapi\.v1@\S+; the next start would load it/,
    /^the running hub has mktb\.shopapi\.v1@\S+; the next start would not load it/
  ])
  t.match(changed.of('connection').filter(({ mark }) => mark === 'failed'), [{
    message: /My mktb .* which is not loaded: its jobs wait/
  }])
  await writeFile(
    join(directory, 'linker.config.json'),
    JSON.stringify({ adapters: ['@linker/adapter-shopa-v1', '@linker/adapter-mktb-v1'] })
  )

  const hidden = await doctor(directory, { ...variables, ...nowhere })
  t.equal(hidden.code, 0)
  t.match(hidden.of('hub'), [{
    mark: 'warning',
    message: new RegExp(`process ${hub.pid} uses the embedded database, but no hub answers here`),
    remedy: /--url/
  }])
  t.strictSame([...hidden.of('attention'), ...hidden.of('connections')], [])

  const stranger = await doctor(directory, { ...variables, PORT: new URL(hub.url).port, ADMIN_TOKEN: 'x'.repeat(32) })
  t.equal(stranger.code, 1)
  t.match(stranger.of('hub'), [{ mark: 'failed', message: /401 LNK_UNAUTHORIZED/ }, { mark: 'warning' }])

  await hub.stop()
  await writeFile(join(directory, 'linker.config.json'), JSON.stringify({ adapters: ['@linker/adapter-shopa-v1'] }))
  const stopped = await doctor(directory, {
    ...nowhere,
    LINKER_CREDENTIALS_KEY: key('k2'),
    LINKER_WEBHOOK_SECRET__SHOPA: 's'
  })
  t.equal(stopped.code, 1)
  t.match(stopped.of('connection'), [{
    mark: 'failed',
    message: /My mktb .* needs mktb\.shopapi\.v1@\S+, which is not loaded: its jobs wait/
  }, paused])
  t.equal(stopped.of('connection').length, 2, 'the shop has its adapter and its secret')
  t.match(stopped.of('attention').filter(ofShop), [{ mark: 'warning', message: /^'My shopa': failed for good / }])
  t.match(stopped.of('credentials'), [{ mark: 'ok' }, { mark: 'failed', message: /encrypted with key 'k1'/ }])
  const rotated = await doctor(directory, {
    ...nowhere,
    LINKER_CREDENTIALS_KEY: `${key('k2')},${key('k1')},${key('k0')}`
  })
  t.match(rotated.of('credentials'), [
    { mark: 'ok' },
    { mark: 'warning', message: /still encrypted with the older key 'k1'/, remedy: /linker credentials rewrap/ },
    { mark: 'ok', message: /nothing is encrypted with the older key 'k0'/ }
  ])
  const mistaken = await doctor(directory, {
    ...nowhere,
    LINKER_CREDENTIALS_KEY: `k1:${Buffer.alloc(32, 9).toString('base64')}`
  })
  t.match(mistaken.of('credentials'), [{ mark: 'ok' }, { mark: 'failed', message: /another key 'k1'/ }])
})

async function tablesOf (url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rowCount } = await client
    .query("select 1 from pg_tables where schemaname not in ('pg_catalog', 'information_schema')")
  await client.end()
  return rowCount ?? 0
}

async function setReadOnly (url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`)
  await client.end()
}

/** Returns every command as a Redis of this description. */
async function oldRedis (t: Test): Promise<string> {
  const info = 'redis_version:6.2.14\r\naof_enabled:1\r\nmaxmemory_policy:allkeys-lru\r\n'
  const server = createServer(socket => {
    socket.on('data', data => {
      for (const _command of data.toString().matchAll(/\*\d+\r\n/g)) socket.write(`$${info.length}\r\n${info}\r\n`)
    })
    socket.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`
}

if (availableModes(process.env).includes('full')) {
  t.test('PostgreSQL and Redis are asked for their version and settings, and nothing is made in them', async t => {
    const { [serverVariable]: _template, ...withoutTemplate } = process.env
    const place = await openMode('full', withoutTemplate)
    t.teardown(() => place.close())
    const directory = await openProject(t)
    const well = await doctor(directory, { ...nowhere, ...place.variables })
    const old = await doctor(directory, { ...nowhere, ...place.variables, REDIS_URL: await oldRedis(t) })

    t.match(well.of('database'), [{ mark: 'ok', message: /PostgreSQL \d+ at .*\/linker_test_/ }])
    t.notOk(well.of('redis').some(({ mark }) => mark === 'failed'))
    t.ok(well.of('redis').length > 0)
    t.equal(await tablesOf(place.variables.DATABASE_URL ?? ''), 0)
    t.equal(old.code, 1)
    t.match(old.of('redis'), [{ mark: 'failed', message: /Redis is 6\.2\.14: version 7/ }, {
      mark: 'warning',
      message: /maxmemory-policy allkeys-lru/
    }])

    await setReadOnly(place.variables.DATABASE_URL ?? '')
    const still = await doctor(directory, { ...nowhere, ...place.variables })
    t.equal(still.code, 1)
    t.match(still.of('database'), [{ mark: 'failed', message: /it accepts no writes/, remedy: /primary server/ }])
  })
}
