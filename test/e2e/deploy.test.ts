import { readConfig } from '@linker/runtime'
import { execFile } from 'node:child_process'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { packProject } from '../fixtures/packed.ts'
import { createApi } from '../support/api.ts'
import {
  deployFolder,
  interpolate,
  readAssignments,
  readDeployFile,
  readDeployYaml,
  readInstructions,
  readUnit
} from '../support/deploy-files.ts'
import { runLinker, startHubProcess } from '../support/hub-process.ts'
import { checkMonitoring } from '../support/monitoring.ts'
import { temporaryFolder } from '../support/npm-project.ts'
import { repository } from '../support/project.ts'
import { runShell } from '../support/shell.ts'

const node = join(repository, 'node_modules/node/bin/node')

interface Service {
  build?: { dockerfile: string }
  environment?: Record<string, string>
  ports?: string[]
  command?: string[]
  stop_grace_period?: string
  volumes?: string[]
  healthcheck?: object
}

/** Runs a program and returns its exit code and output. */
async function run (command: string, args: readonly string[], variables: Record<string, string> = {}) {
  return new Promise<{ code: unknown, output: string }>(resolve => {
    execFile(command, [...args], { env: { PATH: process.env.PATH, ...variables } }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr })
    })
  })
}

async function settingNames (t: Test): Promise<Set<string>> {
  const { stdout } = await runLinker(['config', '--explain'], await temporaryFolder(t))
  return new Set([...stdout.matchAll(/^([A-Z_]+)/gm)].map(([name]) => name))
}

/** The variables of `.env`, as the command of the README makes them. */
async function makeSecrets (t: Test): Promise<Record<string, string>> {
  const directory = await temporaryFolder(t)
  const [, indent = '', command = ''] = /^( *)(\(umask.*?^ *\)$)/ms.exec(await readDeployFile('README.md')) ?? []
  const shell = runShell(t, command.replaceAll(`\n${indent}`, '\n'), {}, directory)
  t.equal(await shell.ended, 0, shell.lines.join('\n'))
  const text = await readFile(join(directory, '.env'), 'utf8')
  return readAssignments(text)
}

t.test('the image starts the hub from packed packages, and sees whether it is healthy', async t => {
  const instructions = readInstructions(await readDeployFile('Containerfile'))
  const textsOf = (name: string): string[] => instructions.filter(item => item.name === name).map(({ text }) => text)
  const { devDependencies } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  for (const from of textsOf('FROM')) t.match(from, `/node:${devDependencies.node}-`, 'the Node that the tests use')
  t.strictSame(textsOf('USER'), ['node'])
  t.strictSame(textsOf('WORKDIR'), ['/hub', '/hub'])
  t.strictSame(textsOf('CMD'), ['["start"]'], 'as startHubProcess starts it')

  const project = await packProject()
  t.teardown(() => project.remove())
  await copyFile(join(deployFolder, 'linker.config.json'), join(project.directory, 'linker.config.json'))
  const [program, entry = ''] = JSON.parse(textsOf('ENTRYPOINT')[0] ?? '') as string[]
  const [, check = ''] = /CMD (\[.*\])$/.exec(textsOf('HEALTHCHECK')[0] ?? '') ?? []
  const [checker, ...args] = JSON.parse(check) as string[]
  t.strictSame([program, checker], ['node', 'node'])

  const { PATH: _path, ...variables } = readAssignments(textsOf('ENV').join(' '))
  const { ADMIN_TOKEN = '', LINKER_CREDENTIALS_KEY = '' } = await makeSecrets(t)
  const hub = await startHubProcess(project.directory, {
    ...variables,
    ADMIN_TOKEN,
    LINKER_CREDENTIALS_KEY,
    HOST: '127.0.0.1',
    PORT: '0',
    LINKER_DATA_DIR: join(project.directory, 'data'),
    XDG_CACHE_HOME: join(project.directory, 'cache')
  }, entry.replace(/^\/hub\b/, project.directory))
  t.teardown(() => hub.kill())
  const { port } = new URL(hub.url)

  t.strictSame(hub.log.filter(line => line.includes('prepared database')), [], 'it contains its first database')
  const published = await readdir(join(project.directory, 'node_modules/@linker/runtime'))
  t.ok(published.includes('WEBHOOKS.md'), 'the page for senders is published')
  t.strictSame(await run(node, args, { PORT: port }), { code: 0, output: '' })
  const call = createApi(hub.url, ADMIN_TOKEN)
  const adapters = (await call('GET', '/adapters')).json as { state: string }[]
  t.strictSame(adapters.map(({ state }) => state), ['ready', 'ready', 'ready'])
  t.match((await call('GET', '/api/docs')).text, '<div id="swagger-ui">')
  t.equal((await call('GET', '/v1/api/docs/static/swagger-ui-bundle.js')).status, 200)
  await checkMonitoring(t, (await call('GET', '/metrics')).text)

  t.equal(await hub.stop(), 0)
  t.strictSame(await run(node, args, { PORT: port }), { code: 1, output: '' }, 'a stopped hub is not healthy')
})

t.test('the compose file gives both processes settings that a hub accepts', async t => {
  const { services, volumes } = await readDeployYaml('compose.yaml') as {
    services: Record<string, Service>,
    volumes: Record<string, unknown>
  }
  const [secrets, known] = await Promise.all([makeSecrets(t), settingNames(t)])
  const hubs = Object.values(services).filter(({ build }) => build?.dockerfile === 'Containerfile')
  const image =
    readAssignments(readInstructions(await readDeployFile('Containerfile')).filter(({ name }) => name === 'ENV')
      .map(({ text }) => text).join(' '))
  const empty = await temporaryFolder(t)

  const roles = hubs.map(({ environment = {}, ports = [], stop_grace_period: patience }) => {
    t.strictSame(Object.keys(environment).filter(name => !known.has(name)), [])
    t.equal(patience, '30s', 'longer than the 25 s in which the hub ends')
    t.ok(ports.every(port => port.startsWith('127.0.0.1:') && port.endsWith(`:${image.PORT}`)))
    const variables = Object.entries(environment).map(([name, text]) => [name, interpolate(text, secrets)] as const)
    const config = readConfig({ ...image, ...Object.fromEntries(variables) }, empty)
    t.match(config, { isProduction: true, publicUrl: 'https://hub.example.com', dataDirectory: '/data' })
    t.match(config.databaseUrl, '@postgres:5432/linker')
    t.equal(config.redisUrl, 'redis://redis:6379')
    return config.role
  })
  t.strictSame(roles, ['http', 'worker'])
  t.strictSame(
    services.redis?.command?.slice(1).join(' '),
    '--appendonly yes --appendfsync always --maxmemory-policy noeviction'
  )
  for (const name of ['postgres', 'redis']) {
    t.ok(services[name]?.healthcheck, `${name} has a health check, which the hub waits for`)
    t.match(services[name]?.volumes, [new RegExp(`^${name}:/`)])
    t.ok(name in volumes)
  }
})

t.test('the unit of systemd runs the hub as a user without rights', async t => {
  const text = await readDeployFile('linker.service')
  const unit = readUnit(text)
  const known = await settingNames(t)
  const variables = Object.keys(readAssignments((unit.get('Environment') ?? []).join(' ')))

  t.strictSame(variables.filter(name => !known.has(name)), ['XDG_CACHE_HOME'])
  t.match(Object.fromEntries(unit), {
    User: ['linker'],
    Restart: ['on-failure'],
    NoNewPrivileges: ['yes'],
    ProtectSystem: ['strict'],
    StateDirectory: ['%N']
  })
  t.notOk(unit.has('MemoryDenyWriteExecute'))

  if ((await run('systemd-analyze', ['--version'])).code !== 0) {
    return t.pass('systemd accepts the unit', { skip: 'systemd is not installed' })
  }
  const file = join(await temporaryFolder(t), 'linker.service')
  await writeFile(file, text.replace(/^ExecStart=\S+/m, `ExecStart=${node}`))
  t.match(await run('systemd-analyze', ['verify', file]), { code: 0, output: /^(?!.*linker\.service)/s })
})

t.test('a worker that dies is seen without its target', async t => {
  const { groups } = await readDeployYaml('alerts.yaml') as { groups: { rules: { alert: string, expr: string }[] }[] }
  const rules = new Map(groups.flatMap(group => group.rules).map(({ alert, expr }) => [alert, expr]))
  const { services } = await readDeployYaml('compose.yaml') as { services: Record<string, Service> }

  t.equal(rules.get('LinkerNoWorker'), 'max(linker_attention{kind="no-worker"}) > 0', 'the http process shows it')
  t.equal(rules.get('LinkerNotWatched'), 'absent(up{job="linker"})')
  t.ok('LINKER_ALERT_WEBHOOK_URL' in (services.http?.environment ?? {}), 'the http process can tell people')
})

t.test('a refused key is an alert until the platform accepts it, and the dashboard shows all that stands', async t => {
  const { groups } = await readDeployYaml('alerts.yaml') as { groups: { rules: { alert: string, expr: string }[] }[] }
  const rule = groups.flatMap(({ rules }) => rules).find(({ alert }) => alert === 'LinkerCredentialsRefused')
  const { panels } = JSON.parse(await readDeployFile('grafana.json')) as { panels: { targets: { expr: string }[] }[] }

  t.equal(rule?.expr, 'max(linker_attention{kind="connection-error"}) > 0', 'the waiting jobs say it only once')
  t.ok(panels.some(({ targets }) => targets.some(({ expr }) => expr.includes('linker_attention'))))
})

t.test('nginx sends requests to a restarted process at once', async t => {
  const servers = [...(await readDeployFile('nginx.conf')).matchAll(/^ +server ([^{;]+);/gm)].map(([, given]) => given)

  t.strictSame(servers, ['127.0.0.1:3000 max_fails=0'])
})

t.test('packing stops before packages without code', async t => {
  const checkout = await temporaryFolder(t)
  const script = join(checkout, 'examples/deploy/pack.sh')
  await mkdir(join(checkout, 'examples/deploy'), { recursive: true })
  await copyFile(join(deployFolder, 'pack.sh'), script)

  t.match(await run('sh', [script]), { code: 1, output: /sdk\/dist\/index\.js is missing; run 'npm run build' first/ })
})

t.test('the guide names the settings of the alerts that the hub sends itself', async t => {
  const guide = await readDeployFile('README.md')
  const names = [...await settingNames(t)].filter(name => /^LINKER_ALERT_(?:WEBHOOK|SMTP|MAIL)_/.test(name))

  t.ok(names.length > 0)
  t.strictSame(names.filter(name => !guide.includes(`\`${name}\``)), [])
})

t.test('the runbook names the units of the guide', async t => {
  const [, chapter = ''] = /^## LinkerNoWorker$(.*?)^## /ms.exec(await readDeployFile('RUNBOOK.md')) ?? []
  const units = [...chapter.matchAll(/systemctl [a-z]+ ([a-z-]+)/g)].map(([, unit]) => unit)

  t.match(await readDeployFile('README.md'), '`linker-worker.service`')
  t.strictSame([...new Set(units)], ['linker-worker'])
})

t.test('every file that the guide names is there, and no other', async t => {
  const guide = await readDeployFile('README.md')
  const files = (await readdir(deployFolder)).filter(name => !name.startsWith('.') && !/^packages$|README/.test(name))

  t.strictSame(files.filter(name => !guide.includes(`[${name}](${name})`)), [])
})
