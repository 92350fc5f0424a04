import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { explainEnvironment, readConfig } from '../src/config.ts'

t.test('an empty environment gives the embedded hub on loopback', async t => {
  const config = readConfig({}, '/project')

  t.match(config, {
    host: '127.0.0.1',
    port: 3000,
    role: 'all',
    webhookSkewMs: 300_000,
    webhookMostBytes: 262_144,
    webhookKeptDays: 7,
    personalDataDays: 180,
    batchesDays: 90,
    docs: true,
    console: true,
    tracing: 'all',
    logLevel: 'info',
    isProduction: false,
    dataDirectory: '/project/.linker'
  })
  t.equal(config.databaseUrl, undefined)
  t.equal(config.adminToken, undefined)
})

t.test('every bad value is named with its variable in one message', async t => {
  const environment = {
    PORT: 'http',
    ADMIN_TOKEN: 'short',
    DATABASE_URL: 'mysql://db/x',
    REDIS_URL: 'localhost',
    LINKER_ROLE: 'boss',
    LINKER_WEBHOOK_SKEW_MS: '5',
    LINKER_DOCS: 'yes',
    LINKER_CONSOLE: 'yes',
    LINKER_TRACE: 'on',
    LINKER_PERSONAL_DATA_DAYS: '5',
    LOG_LEVEL: 'loud'
  }

  t.throws(() => readConfig(environment, '/project'), { code: 'LNK_CONFIG_INVALID' })
  const message = messageOf(() => readConfig(environment, '/project'))
  for (const name of Object.keys(environment)) t.match(message, name)
  t.match(message, 'LINKER_ROLE must be one of all, http, worker')
  t.match(message, 'LINKER_TRACE must be one of all, failures, off')
  t.match(message, 'LINKER_PERSONAL_DATA_DAYS must be off or must be >= 30')
  t.notMatch(message, 'short')
})

t.test('a URL that cannot be read is named, and never printed', async t => {
  const passwords = ['pa#ss', 'pa/ss', 'pa?ss', 'pa%ss', '12#34', '12/34']
  const variables = { DATABASE_URL: 'postgresql', REDIS_URL: 'rediss', LINKER_ALERT_SMTP_URL: 'smtp' }
  for (const [name, scheme] of Object.entries(variables)) {
    for (const password of passwords) {
      const environment = { [name]: `${scheme}://user:${password}@host/name` }
      const message = messageOf(() => readConfig(environment, '/project'))
      t.match(message, `${name} is no URL that can be read`, password)
      t.match(message, 'percent-encoded')
      t.notMatch(message, password)
    }
  }
  for (const name of ['LINKER_PUBLIC_URL', 'LINKER_ALERT_WEBHOOK_URL']) {
    t.match(messageOf(() => readConfig({ [name]: 'https://hub:port' }, '/project')), `${name} is no URL`)
  }

  const right = {
    DATABASE_URL: 'postgresql://user:pa%23ss%25@host:5432/name?sslmode=require',
    REDIS_URL: 'redis://:p%40ss@host:6379/1',
    LINKER_PUBLIC_URL: 'https://hub.example/@shop'
  }
  t.equal(readConfig(right, '/project').databaseUrl, right.DATABASE_URL)
})

t.test('an empty variable counts as absent', async t => {
  t.equal(readConfig({ PORT: '', DATABASE_URL: '', REDIS_URL: '' }, '/project').port, 3000)
  t.strictSame(readConfig({ LINKER_DATA_DIR: undefined, PORT: undefined }, '/project'), readConfig({}, '/project'))
})

t.test('Redis without PostgreSQL is refused', async t => {
  t.match(messageOf(() => readConfig({ REDIS_URL: 'redis://127.0.0.1:6379' }, '/project')), 'DATABASE_URL')
})

t.test('empty webhook secrets are left out', async t => {
  const { webhookSecrets } = readConfig(
    { LINKER_WEBHOOK_SECRET__SHOPA: 's', LINKER_WEBHOOK_SECRET__MKTB: '' },
    '/project'
  )

  t.strictSame([...webhookSecrets], [['LINKER_WEBHOOK_SECRET__SHOPA', 's']])
})

t.test('linker.config.json is read from the project, and errors name a mistake by its pointer', async t => {
  const directory = await mkdtemp(join(tmpdir(), 'linker-config-'))
  t.teardown(() => rm(directory, { recursive: true }))
  const path = join(directory, 'linker.config.json')

  await writeFile(path, '{ "defaults": { "feedshop": "feedshop.api.v1" } }')
  t.strictSame(readConfig({}, directory).file, { defaults: { feedshop: 'feedshop.api.v1' } })

  await writeFile(path, '{ "adapter": [], "strict": "yes" }')
  const message = messageOf(() => readConfig({}, directory))
  t.match(message, '/adapter')
  t.match(message, '/strict')

  await writeFile(path, '{ not json')
  t.match(messageOf(() => readConfig({}, directory)), 'is not JSON')
})

t.test('the file that LINKER_CONFIG names must exist', async t => {
  t.match(
    messageOf(() => readConfig({ LINKER_CONFIG: 'missing.json' }, '/project')),
    "cannot read '/project/missing.json', the file that LINKER_CONFIG names"
  )
})

t.test('the folder of the file that LINKER_CONFIG names is the project; the data directory stays', async t => {
  const directory = t.testdir({ hub: { 'other.json': '{}' } })
  const config = readConfig({ LINKER_CONFIG: 'hub/other.json' }, directory)

  t.match(config, { projectDirectory: `${directory}/hub`, dataDirectory: `${directory}/.linker` })
})

t.test('every variable is explained', async t => {
  const lines = explainEnvironment()

  t.ok(lines.every(line => /^[A-Z_]+(<PLATFORM>|=\S+)? {2}\S/.test(line)), lines.join('\n'))
  t.match(lines.join('\n'), /^LINKER_WEBHOOK_SECRET__<PLATFORM> {2}.*\nNODE_EXTRA_CA_CERTS {2}/m)
})

function messageOf (run: () => unknown): string {
  try {
    run()
    return 'nothing was thrown'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

t.test('the data of buyers stay for as many days as are set, or for ever', async t => {
  const daysOf = (value: string) => readConfig({ LINKER_PERSONAL_DATA_DAYS: value }, '/project').personalDataDays

  t.equal(daysOf('30'), 30)
  t.equal(daysOf('off'), undefined)
  t.equal(daysOf(''), 180)
})
