import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Finding } from '../../../src/cli/doctor/finding.ts'
import { checkSettings } from '../../../src/cli/doctor/settings.ts'
import { readConfig } from '../../../src/config.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const adminToken = 'a-token-of-more-than-thirty-two-characters'

/** The mark of each check in a project without adapters. */
async function examine (
  directory: string,
  environment: NodeJS.ProcessEnv = {}
): Promise<Partial<Record<string, Finding['mark']>>> {
  const findings = await checkSettings(readConfig(environment, directory))
  return Object.fromEntries(findings.map(({ check, mark }) => [check, mark]))
}

function openProject (t: Test): string {
  return t.testdir({ 'linker.config.json': '{"adapters":[]}' })
}

t.test('what is only needed without servers is not checked with them', async t => {
  const directory = openProject(t)
  const servers = { DATABASE_URL: 'postgresql://127.0.0.1/linker' }

  t.hasProp(await examine(directory, servers), 'data directory', 'the token of the first start is stored there')
  t.notOk('data directory' in await examine(directory, { ...servers, ADMIN_TOKEN: adminToken }))
})

t.test('a data directory that does not exist yet is judged by the folder above it', async t => {
  const directory = openProject(t)
  await writeFile(join(directory, 'file'), '')

  t.equal((await examine(directory, { LINKER_DATA_DIR: 'new/state' }))['data directory'], 'ok')
  t.equal((await examine(directory, { LINKER_DATA_DIR: 'file/state' }))['data directory'], 'failed')
})

t.test('the data directory is tried, which leaves nothing behind', async t => {
  const directory = openProject(t)
  await mkdir(join(directory, 'state'))
  const examined = await examine(directory, { LINKER_DATA_DIR: 'state' })

  t.equal(examined['data directory'], 'ok')
  t.strictSame(await readdir(join(directory, 'state')), [])
})

t.test('a data directory that refuses files is a fault, even when its permissions allow them', {
  skip: process.platform !== 'linux' && 'needs /proc'
}, async t => {
  // Root may write there by the permissions, and yet nobody can.
  const findings = await checkSettings(readConfig({ LINKER_DATA_DIR: '/proc/linker' }, openProject(t)))

  t.match(findings.find(({ check }) => check === 'data directory'), {
    mark: 'failed',
    message: /^\/proc\/linker cannot be written: E/,
    remedy: /LINKER_DATA_DIR/
  })
})

t.test('a token file that others can read is a warning', async t => {
  const directory = openProject(t)
  const path = join(directory, '.linker', 'admin-token')
  await mkdir(join(directory, '.linker'))
  await writeFile(path, adminToken, { mode: 0o600 })
  const kept = await examine(directory)
  await chmod(path, 0o640)

  t.equal(kept.token, 'ok')
  t.equal((await examine(directory)).token, 'warning')
  t.equal((await examine(directory, { ADMIN_TOKEN: adminToken })).token, 'ok', 'the file is not used then')
})

t.test('production needs a key for credentials, unless the operator does without it', async t => {
  const directory = openProject(t)
  const production = { NODE_ENV: 'production' }

  t.equal((await examine(directory)).credentials, 'warning')
  t.equal((await examine(directory, production)).credentials, 'failed')
  t.equal((await examine(directory, { ...production, LINKER_CREDENTIALS_ENCRYPTION: 'off' })).credentials, 'warning')
  t.equal((await examine(directory, { ...production, LINKER_CREDENTIALS_KEY: `k1:${key}` })).credentials, 'ok')
  t.equal((await examine(directory, { LINKER_CREDENTIALS_KEY: 'k1:too-short' })).credentials, 'failed')
})

t.test('a role other than all needs PostgreSQL, in production always', async t => {
  const directory = openProject(t)
  const production = { NODE_ENV: 'production' }

  t.equal((await examine(directory)).role, undefined)
  t.equal((await examine(directory, { LINKER_ROLE: 'http' })).role, 'warning')
  t.equal((await examine(directory, { ...production, LINKER_ROLE: 'worker' })).role, 'failed')
  const besidePostgres = { ...production, LINKER_ROLE: 'worker', DATABASE_URL: 'postgres://127.0.0.1:1/hub' }
  t.equal((await examine(directory, besidePostgres)).role, undefined)
})

t.test('adapters are compared with linker.lock, and a lock that cannot be read is a fault', async t => {
  const directory = openProject(t)
  const lock = join(directory, 'linker.lock')
  const without = await examine(directory)
  await writeFile(lock, '{"lockVersion":1,"adapters":{}}')
  const matching = await examine(directory)
  await writeFile(lock, '{"lockVersion":')

  t.equal(without['linker.lock'], 'ok')
  t.equal(matching['linker.lock'], 'ok')
  t.equal((await examine(directory))['linker.lock'], 'failed')
})
