import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { createApi, eventually, type ApiClient } from '../support/api.ts'
import { refused } from '../support/command.ts'
import { runLinker, spawnLinker, startHubProcess } from '../support/hub-process.ts'
import { cheapestMode, openMode } from '../support/modes.ts'
import { repository } from '../support/project.ts'
import { readChapter } from '../support/runtime-docs.ts'

const admin = 'a-token-of-more-than-thirty-two-characters'

const manifest = {
  name: 'adapter-feed',
  version: '0.1.0',
  type: 'module',
  exports: './dist/index.js',
  engines: { linker: '^0.1.0' },
  scripts: { build: 'tsc' },
  linker: {
    adapterKey: 'feed.api.v1',
    platformType: 'feed',
    displayName: 'Feed',
    capabilities: ['ProductMaster'],
    permissions: { http: ['${config.baseUrl}'], jobs: ['feed.*'] }
  }
}

// `name.ts` is a module of its own: a swap must load all modules again.
const source = `
import { defineAdapter, type ProductMaster } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { name } from './name.ts'

function createProductMaster (): ProductMaster {
  return {
    async getProduct (externalId: string) {
      return { externalId, name, isActive: true, variants: [{ externalId }] }
    },
    async listProducts () {
      return { items: [] }
    }
  }
}

export default defineAdapter({
  config: Type.Object({ baseUrl: Type.String() }),
  credentials: Type.Object({ apiKey: Type.String({ secret: true }) }),
  connect: () => null,
  test: async () => ({ message: 'the key fits' }),
  account: async () => undefined,
  capabilities: { ProductMaster: createProductMaster },
  webhooks: { scheme: 'hmac', events: { 'product.changed': 'feed.read' } },
  jobs: { 'feed.read': { payload: Type.Object({}, { additionalProperties: true }), run: async () => undefined } }
})
`

interface Author {
  directory: string
  save(path: string, text: string): Promise<void>
  saveName(name: string): Promise<void>
}

async function openAuthor (t: Test): Promise<Author> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'linker-dev-')))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  await mkdir(join(directory, 'src'))
  await symlink(join(repository, 'node_modules'), join(directory, 'node_modules'))
  const save = (path: string, text: string): Promise<void> => writeFile(join(directory, path), text)
  const saveName = (name: string): Promise<void> => save('src/name.ts', `export const name: string = '${name}'\n`)
  await save('package.json', JSON.stringify(manifest))
  await save('src/index.ts', source)
  await saveName('first')
  const settings = { config: { baseUrl: '{origin}' }, credentials: { apiKey: 'k' } }
  await save('linker.conformance.json', JSON.stringify(settings))
  return { directory, save, saveName }
}

interface Dev {
  url: string
  output: readonly string[]
  call: ApiClient
  /** Waits for the next line that matches, after those that were waited for. */
  line(pattern: RegExp): Promise<string>
  /** The name that the connection reads now. */
  readName(): Promise<string>
  stop(signal?: 'SIGINT' | 'SIGTERM'): Promise<number | null>
}

async function startDev (t: Test, directory: string, ...more: string[]): Promise<Dev> {
  const upstream = more.includes('--simulator') ? [] : ['--upstream', 'http://127.0.0.1:4700']
  const args = ['dev', directory, ...upstream, ...more]
  const child = spawnLinker(args, directory, { ADMIN_TOKEN: admin, PORT: '0', LOG_LEVEL: 'warn' })
  const exited = once(child, 'exit') as Promise<[number | null]>
  // Ended, not killed: the command ends its simulator and removes the socket of its database.
  t.teardown(async () => {
    child.kill('SIGINT')
    await exited
  })
  const output: string[] = []
  let read = 0
  if (child.stdout === null || child.stderr === null) throw new Error('the command has no output')
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', line => {
      output.push(line)
    })
  }
  const line = (pattern: RegExp): Promise<string> =>
    eventually(`a line like ${pattern.source}`, async () => {
      const index = output.findIndex((text, place) => place >= read && pattern.test(text))
      if (index === -1) return undefined
      read = index + 1
      return output[index]
    })
  const [, url = ''] = /(http:\S+)/.exec(await line(/^Linker listens on http:/)) ?? []
  const call = createApi(url, admin)
  const loaded = await line(/^\s+(?:connection dev \(|no code of the folder serves)/)
  if (!loaded.includes('connection dev')) throw new Error(output.join('\n'))
  const { json: connections } = await call('GET', '/connections')
  const [{ id } = { id: '' }] = connections as { id: string }[]
  return {
    url,
    output,
    call,
    line,
    async readName () {
      const body = { capability: 'ProductMaster', method: 'getProduct', args: ['1'] }
      const { json } = await call('POST', `/connections/${id}/invoke`, { body })
      return (json as { value?: { name?: string } }).value?.name ?? JSON.stringify(json)
    },
    async stop (signal = 'SIGINT') {
      child.kill(signal)
      const [code] = await exited
      return code
    }
  }
}

/** How long a thread takes to start on a machine that does nothing else. */
const idleThreadMs = 30

/** Starts a thread that does nothing. Returns how long that took. */
async function startThread (): Promise<number> {
  const startMs = performance.now()
  await once(new Worker('', { eval: true }), 'exit')
  return performance.now() - startMs
}

const longestMs = 60_000

/** Asks again at once: a pause would count as time of the swap. */
async function until (holds: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + longestMs
  while (!await holds()) if (performance.now() > endMs) throw new Error('the swap took too long')
}

t.test(
  'saved sources serve an existing connection without a restart, and the last good code after a mistake',
  async t => {
    const { directory, save, saveName } = await openAuthor(t)
    const files = (await readdir(directory)).toSorted()
    const dev = await startDev(t, directory)
    t.equal(await dev.readName(), 'first')

    const swapMs: number[] = []
    const threadMs: number[] = []
    for (const name of ['second', 'third', 'fourth', 'fifth']) {
      threadMs.push(await startThread())
      const startMs = performance.now()
      await saveName(name)
      await until(async () => await dev.readName() === name)
      swapMs.push(performance.now() - startMs)
      await dev.line(/feed\.api\.v1@0\.1\.0 serves with ProductMaster/)
    }
    // On a machine that is busy with other work, a thread starts as late as the swap.
    const limitMs = 300 * Math.max(1, Math.max(...threadMs) / idleThreadMs)
    const figures = `${swapMs.map(Math.round).join(', ')} ms; a thread: ${threadMs.map(Math.round).join(', ')} ms`
    t.ok(Math.min(...swapMs) < limitMs, `from the save to the answer: ${figures}`)

    await save('src/index.ts', `const answer = 1\n\nconst wrong = = 2\n${source}`)
    t.match(await dev.line(/LNK_ADAPTER_IMPORT_FAILED/), /src\/index\.ts:3\b/)
    await dev.line(/remedy: correct it and save/)
    await dev.line(/goes on serving/)
    t.equal(await dev.readName(), 'fifth')

    await save('src/index.ts', `enum Kind { A }\n${source}`)
    await dev.line(/remedy: .*erasableSyntaxOnly/)
    t.equal(await dev.readName(), 'fifth')

    await save('src/index.ts', source.replace("'@linker/sdk'", "'@linker/sdk'\nthrow new Error('oh no')"))
    t.match(await dev.line(/oh no/), /src\/index\.ts:3\b/)

    await saveName('sixth')
    await save('src/index.ts', source)
    await dev.line(/serves with ProductMaster/)
    await eventually('the repaired code', async () => await dev.readName() === 'sixth' ? true : undefined)
    t.strictSame((await readdir(directory)).toSorted(), files, 'nothing is left in the folder')
    t.equal(await dev.stop(), 0)
  }
)

t.test('a new version in package.json takes its connections along', async t => {
  const { directory, save } = await openAuthor(t)
  const dev = await startDev(t, directory)
  const body = { name: 'Pinned', platformType: 'feed', config: { baseUrl: 'http://x' }, credentials: { apiKey: 'k' } }
  const { json } = await dev.call('POST', '/connections', { body })
  const { id, adapterVersion } = json as { id: string, adapterVersion: string }
  t.equal(adapterVersion, '0.1.0')

  await save('package.json', JSON.stringify({ ...manifest, version: '0.2.0' }))
  await dev.line(/feed\.api\.v1@0\.2\.0 serves/)
  await dev.line(/Pinned: feed\.api\.v1@0\.1\.0 → feed\.api\.v1@0\.2\.0/)

  t.match((await dev.call('GET', `/connections/${id}`)).json, { adapterVersion: '0.2.0' })
  t.equal(await dev.readName(), 'first')
})

t.test('a change of the settings changes the connection', async t => {
  const { directory, save } = await openAuthor(t)
  const dev = await startDev(t, directory)
  await save('linker.dev.json', JSON.stringify({ config: { baseUrl: 'http://127.0.0.1:1' } }))
  await dev.line(/connection dev \(.*\): ok {2}the key fits/)

  t.match((await dev.call('GET', '/connections')).json, [{ name: 'dev', config: { baseUrl: 'http://127.0.0.1:1' } }])
})

t.test('with --build, what the script builds serves, and its errors are told', async t => {
  const { directory, save, saveName } = await openAuthor(t)
  const options = join(repository, 'plugins/create-adapter/template/shared/tsconfig.json')
  await save('tsconfig.json', await readFile(options, 'utf8'))
  const dev = await startDev(t, directory, '--build')
  t.equal(await dev.readName(), 'first')

  await save('src/name.ts', 'export const name: string = 1\n')
  await dev.line(/npm run build failed/)
  await dev.line(/src\/name\.ts.*TS2322/)
  t.equal(await dev.readName(), 'first')

  await saveName('second')
  await dev.line(/serves with ProductMaster/)
  t.equal(await dev.readName(), 'second')
})

t.test('a folder that is no adapter is refused with one line', async t => {
  const { directory, save } = await openAuthor(t)
  refused(t, await runLinker(['dev', join(directory, 'nowhere')], directory), /is no folder/)
  refused(t, await runLinker(['dev', join(directory, 'src')], directory), /has no package\.json.*npm create/)
  await save('linker.dev.json', '{')
  refused(t, await runLinker(['dev', directory], directory), /linker\.dev\.json is not JSON/)
  await save('linker.dev.json', '{}')
  refused(t, await runLinker(['dev', directory, '--simulator', 'exit 4'], directory), /'exit 4' ended with 4/)
})

t.test('SIGTERM ends it, and its simulator, cleanly', async t => {
  const { directory, save } = await openAuthor(t)
  await save(
    'platform.cjs',
    `require('node:http').createServer((_, r) => r.end()).listen(0, '127.0.0.1', function () {
    console.log('http://127.0.0.1:' + this.address().port)
  })`
  )
  const dev = await startDev(t, directory, '--simulator', `'${process.execPath}' platform.cjs`)
  const { json } = await dev.call('GET', '/connections')
  const [{ config } = { config: { baseUrl: '' } }] = json as { config: { baseUrl: string } }[]
  t.equal((await fetch(config.baseUrl)).status, 200)

  t.equal(await dev.stop('SIGTERM'), 0)

  await eventually('the end of the simulator', () => fetch(config.baseUrl).then(() => undefined, () => true as const))
})

t.test('a signal before the simulator has printed its address ends both, even one that ignores SIGTERM', async t => {
  const { directory, save } = await openAuthor(t)
  await save(
    'platform.cjs',
    `process.on('SIGTERM', () => undefined)
    require('node:net').createServer().listen(0, '127.0.0.1', function () {
      console.log('port ' + this.address().port)
    })`
  )
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const port = join(directory, signal)
    const child = spawnLinker(
      ['dev', directory, '--simulator', `'${process.execPath}' platform.cjs > ${signal}`],
      directory,
      { ADMIN_TOKEN: admin, PORT: '0' }
    )
    const exited = once(child, 'exit')
    const [, listensOn] = await eventually(
      'the start of the simulator',
      async () => /port (\d+)/.exec(await readFile(port, 'utf8').catch(() => '')) ?? undefined
    )
    const socket = connect(Number(listensOn), '127.0.0.1')
    await once(socket, 'connect')
    const closed = new Promise(resolve => socket.on('error', () => undefined).once('close', resolve))

    child.kill(signal)

    t.strictSame(await exited, [128 + constants.signals[signal], null])
    await closed
  }
})

t.test('the examples of the documentation work', async t => {
  const chapter = await readChapter('commands', 'linker dev')
  const [, command = ''] = /^```sh\n(?:npx linker )(dev .*)\n```$/m.exec(chapter) ?? []
  const [, settings = ''] = /^```json\n(.*?)^```$/ms.exec(chapter) ?? []
  const { directory, save } = await openAuthor(t)
  const platform = join(repository, 'plugins/create-adapter/template/shop/src/test/platform.ts')
  await mkdir(join(directory, 'src/test'))
  await save('src/test/platform.ts', await readFile(platform, 'utf8'))
  await save('linker.dev.json', settings)
  const [, simulator = ''] = /--simulator "(.*)"/.exec(command) ?? []
  t.equal(command, `dev --simulator "${simulator}"`)
  const dev = await startDev(t, directory, '--simulator', simulator.replace('node', `'${process.execPath}'`))

  t.strictSame(JSON.parse(settings).config, { baseUrl: '{origin}' })
  const { json } = await dev.call('GET', '/connections')
  t.match(json, [{ name: 'dev', config: { baseUrl: /^http:\/\/127\.0\.0\.1:/ } }])
  for (const option of ['--upstream', '--simulator', '--with', '--build', '--data-dir', '--port']) {
    t.ok(chapter.includes(`\`${option}`), option)
  }
})

t.test('a running hub says that it serves older code than a folder holds', async t => {
  const { directory, save } = await openAuthor(t)
  await mkdir(join(directory, 'dist'))
  const built = source.replace(', type ProductMaster', '').replace('(): ProductMaster', '()')
    .replace('externalId: string', 'externalId').replace('./name.ts', './name.js')
  await save('dist/index.js', built)
  await save('dist/name.js', "export const name = 'built'\n")
  const project = await mkdtemp(join(tmpdir(), 'linker-stale-'))
  t.teardown(() => rm(project, { recursive: true, force: true }))
  await writeFile(join(project, 'linker.config.json'), JSON.stringify({ adapters: [{ path: directory }] }))
  const place = await openMode(cheapestMode(process.env), process.env)
  t.teardown(() => place.close())
  const hub = await startHubProcess(project, { ...place.variables, ADMIN_TOKEN: admin })
  t.teardown(() => hub.kill())
  const readChange = async (): Promise<unknown> => {
    const { json } = await createApi(hub.url, admin)('GET', '/adapters')
    return (json as { changed?: unknown }[])[0]?.changed
  }
  t.equal(await readChange(), undefined)

  await save('src/name.ts', "export const name = 'newer'\n")
  t.match(await readChange(), { remedy: /npm run build, then restart the hub/ })

  await save('dist/name.js', "export const name = 'newer'\n")
  t.match(await readChange(), { remedy: 'restart the hub' })
  const variables = { ...place.variables, ADMIN_TOKEN: admin, PORT: new URL(hub.url).port }
  const { stdout } = await runLinker(['doctor'], project, variables)
  t.match(stdout, /! adapter +the running hub serves older code of feed\.api\.v1@0\.1\.0: .* → restart the hub\n/)
})
