import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readHubSettings, secretNameOf, webhookSecretOf } from '../../../src/cli/dev/hub-settings.ts'

async function read (t: Test, more: Partial<Parameters<typeof readHubSettings>[0]> = {}, file: object = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'linker-hub-settings-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  await writeFile(join(directory, 'linker.config.json'), JSON.stringify(file))
  const given = { environment: {}, directory, workingDirectory: directory, platformType: 'feed', more: [] }
  return { directory, config: await readHubSettings({ ...given, ...more }) }
}

t.test('a trial touches no state of another hub, whatever the shell says', async t => {
  const environment = {
    DATABASE_URL: 'postgresql://db/production',
    REDIS_URL: 'redis://db',
    LINKER_DATA_DIR: '/srv/state',
    LINKER_ROLE: 'worker',
    NODE_ENV: 'production',
    HOST: '0.0.0.0',
    LOG_LEVEL: 'warn'
  }
  const { config } = await read(t, { environment })

  t.match(config, { isInMemory: true, host: '127.0.0.1', role: 'all', isProduction: false, logLevel: 'warn' })
  t.equal(config.databaseUrl, undefined)
  t.equal(config.redisUrl, undefined)
  t.ok((config.adminToken ?? '').length >= 32)
})

t.test('state is kept where the author wants it', async t => {
  const { config, directory } = await read(t, { dataDirectory: 'state' })

  t.equal(config.isInMemory, undefined)
  t.equal(config.dataDirectory, join(directory, 'state'))
})

t.test('a port that another server has is left to it, unless the author insists', async t => {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  const taken = String((server.address() as AddressInfo).port)

  t.equal((await read(t, { environment: { PORT: taken } })).config.port, 0)
  t.equal((await read(t, { port: taken })).config.port, Number(taken))
})

t.test('more adapters come from folders and packages, each in its thread, and none of the list', async t => {
  const more = ['./other', '/abs/other', '@acme/adapter']
  const { config, directory } = await read(t, { more }, { adapters: ['listed'], outbound: { allow: ['10.0.0.1/32'] } })

  t.strictSame(config.file.adapters, [
    { path: join(directory, 'other'), isolation: 'worker' },
    { path: '/abs/other', isolation: 'worker' },
    { use: '@acme/adapter', isolation: 'worker' }
  ])
  t.strictSame(config.file.outbound, { allow: ['10.0.0.1/32'] })
})

t.test('the platform gets its settings and a webhook secret, unless the author has one', async t => {
  const { config } = await read(t, { platform: { sandbox: 'here' } }, { platforms: { other: { a: 1 } } })
  t.strictSame(config.file.platforms, { other: { a: 1 }, feed: { sandbox: 'here' } })
  t.ok(webhookSecretOf(config, 'feed').length >= 32)

  const environment = { [secretNameOf('feed')]: 'mine' }
  t.equal(webhookSecretOf((await read(t, { environment })).config, 'feed'), 'mine')
})
