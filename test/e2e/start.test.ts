import { readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import t from 'tap'
import { createApi, eventually } from '../support/api.ts'
import { openProject, refused } from '../support/command.ts'
import { runLinker, sourceLinker, spawnLinker, startHubProcess } from '../support/hub-process.ts'
import { cheapestMode, openMode } from '../support/modes.ts'

t.test('a wrong setting stops the start and is named', async t => {
  const directory = await openProject(t)
  const taken = createServer().listen(0, '127.0.0.1')
  t.teardown(() => taken.close())
  await eventually('a port', async () => taken.address() ?? undefined)
  const { port } = taken.address() as AddressInfo
  const broken = await openProject(t, { adapter: [] })
  const place = await openMode(cheapestMode(process.env), process.env)
  t.teardown(() => place.close())
  const unreachable = 'postgresql://postgres:the-password@127.0.0.1:1/linker'
  const cases: [Record<string, string>, RegExp, string?][] = [
    [{ PORT: 'abc', LINKER_ROLE: 'both' }, /PORT must be integer; LINKER_ROLE must be one of all, http, worker/],
    [{ ADMIN_TOKEN: 'short' }, /ADMIN_TOKEN .*32/],
    [{ DATABASE_URL: 'mysql://db/linker' }, /DATABASE_URL/],
    [{ DATABASE_URL: unreachable }, /127\.0\.0\.1:1\/linker.*DATABASE_URL.*ECONNREFUSED/],
    [{ REDIS_URL: 'redis://127.0.0.1:6379' }, /REDIS_URL.*Set DATABASE_URL too/],
    [{ LINKER_CONFIG: 'nowhere.json' }, /cannot read '.*nowhere\.json', the file that LINKER_CONFIG names/],
    [{ ...place.variables, LINKER_CREDENTIALS_KEY: 'k1:tooshort' }, /LINKER_CREDENTIALS_KEY must be/],
    [{ LINKER_WEBHOOK_SKEW_MS: '10' }, /LINKER_WEBHOOK_SKEW_MS must be >= 1000/],
    [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL must be one of fatal, error/],
    [{}, /linker\.config\.json': \/adapter/, broken],
    [{ ...place.variables, PORT: String(port) }, /EADDRINUSE.*HOST and PORT/]
  ]

  for (const [variables, message, project = directory] of cases) {
    const finished = await runLinker(['start'], project, { LOG_LEVEL: 'fatal', ...variables })
    refused(t, finished, message)
    t.match(finished.stderr, /^linker: (LNK_[A-Z_]+: |.*EADDRINUSE)/)
    t.notMatch(finished.stderr, 'the-password')
  }
})

t.test('one data directory, one process', async t => {
  const directory = await openProject(t)
  const migrated = await runLinker(['migrate'], directory)
  const hub = await startHubProcess(directory, {})
  const [start, migrate] = await Promise.all([
    runLinker(['start'], directory, { PORT: '0' }),
    runLinker(['migrate'], directory)
  ])
  const healthy = await createApi(hub.url, '')('GET', '/readyz')
  const code = await hub.stop()
  const again = await runLinker(['migrate'], directory)

  t.match(migrated, { code: 0, stdout: /embedded database in .*\.linker is up to date/ })
  for (const second of [start, migrate]) {
    refused(t, second, new RegExp(`'.*\\.linker' is in use by process ${hub.pid}.*LINKER_DATA_DIR.*DATABASE_URL`))
  }
  t.ok(hub.output.includes(`Console    ${hub.url}/console/`), 'no sign-in code goes into a file')
  t.equal(healthy.status, 200, 'the first one goes on')
  t.equal(code, 0)
  t.equal(again.code, 0, 'free again after the stop')
})

t.test('SIGTERM: `/readyz` turns red first, and no request is answered with 503', async t => {
  const hub = await startHubProcess(await openProject(t), {})
  t.teardown(() => hub.kill())
  const statuses = new Map<string, number>()
  const ask = async (path: string): Promise<void> => {
    const { status } = await fetch(hub.url + path)
    statuses.set(`${path} ${status}`, (statuses.get(`${path} ${status}`) ?? 0) + 1)
  }
  /** Repeats requests until the hub no longer listens. */
  const askAll = async (path: string): Promise<void> => {
    for (let isAnswered = true; isAnswered;) isAnswered = await ask(path).then(() => true, () => false)
  }
  const asking = Promise.all(['/healthz', '/healthz', '/healthz', '/readyz'].map(askAll))
  await eventually('answers', async () => statuses.size === 2 ? true : undefined)

  t.equal(await hub.stop('SIGTERM'), 0)
  await asking
  t.strictSame([...statuses.keys()].toSorted(), ['/healthz 200', '/readyz 200', '/readyz 503'])
})

t.test('SIGTERM: a request that waits for a job answers with the job as it is', async t => {
  const token = 'x'.repeat(32)
  // This role runs no jobs.
  const hub = await startHubProcess(await openProject(t), { ADMIN_TOKEN: token, LINKER_ROLE: 'http' })
  t.teardown(() => hub.kill())
  const call = createApi(hub.url, token)
  const connection = { name: 'A marketplace', platformType: 'mktb', credentials: 'y'.repeat(32) }
  const { json: created } = await call('POST', '/connections', { body: connection })
  const { id: connectionId } = created as { id: string }
  const accepted = await call('POST', '/jobs', { body: { jobType: 'marketplace.offers.sync', connectionId } })
  const { jobId } = accepted.json as { jobId: string }
  const waiting = call('GET', `/jobs/${jobId}?wait=30`)
  // The hub serves connections in turn: when it answers this request, it has accepted the request
  // before.
  t.equal((await call('GET', `/jobs/${jobId}`)).status, 200)

  t.equal(await hub.stop('SIGTERM'), 0)
  t.match(await waiting, { status: 200, json: { id: jobId, status: 'queued', finishedAt: null } })
})

t.test('a hub bounds the young part of its heap, unless the operator does', {
  skip: process.platform !== 'linux' && 'needs /proc'
}, async t => {
  const flagsOf = async (variables: Record<string, string>): Promise<string[]> => {
    const hub = spawnLinker(['start'], await openProject(t), variables, 'ignore', sourceLinker)
    t.teardown(() => hub.kill('SIGKILL'))
    const read = (): Promise<string> => readFile(`/proc/${hub.pid}/cmdline`, 'utf8')
    const commandLine = await eventually('the process to run the hub itself', async () => {
      const text = await read()
      // While the process replaces itself, the end of the new command line may follow the old one.
      return /cli.main/.test(text) && text === await read() ? text : undefined
    })
    return commandLine.split('\0').filter(part => part.includes('semi-space'))
  }

  t.strictSame(await flagsOf({}), ['--max-semi-space-size=16'])
  t.strictSame(await flagsOf({ NODE_OPTIONS: '--max-semi-space-size=32' }), [])
})
