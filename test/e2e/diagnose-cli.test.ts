import t from 'tap'
import { refused } from '../support/command.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { openQuietShop } from '../support/quiet-shop.ts'
import { readChapter } from '../support/runtime-docs.ts'

const schedule = 'master-inventory-sweep'
const config = { schedules: { [schedule]: { every: '1d', enabled: true } } }

/** The words of a command, as a shell finds them. */
const wordsOf = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain)

/** Replaces what differs between two runs. */
const normal = (output: string): string =>
  output.trim()
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replaceAll(/ +/g, ' ')

t.test('linker connections diagnose', async t => {
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env), config })
  const shop = await openQuietShop(hub, 'My shop')
  const start = async (): Promise<string> => {
    const { json } = await hub.call('POST', '/jobs', {
      body: { jobType: 'master.product.syncByExternalId', connectionId: shop, payload: { externalId: '27' } }
    })
    return (json as { jobId: string }).jobId
  }
  await hub.endOf(await start())
  const run = (...args: string[]) => runLinker([...args, '--url', hub.url, '--token', hub.keys.admin], hub.directory)
  const diagnose = (...args: string[]) => run('connections', 'diagnose', ...args)

  await t.test('exits with 0 when nothing blocks, by name or id', async t => {
    await hub.call('PATCH', `/connections/${shop}/schedules/${schedule}`, { body: { enabled: false } })
    const byName = await diagnose('My shop')
    const byId = await diagnose(shop, '--json')

    t.match(byName, { code: 0, stdout: /\n[!✓] schedule-off +The schedule .* → Switch it on .*\n\nLAST +AT +JOB / })
    t.match(byName.stdout, /\nreading +\S+Z +\S+ +master\.product\.syncByExternalId\n/)
    t.match(JSON.parse(byId.stdout), { connection: { id: shop }, findings: [{ code: 'schedule-off' }] })
    t.equal(byId.code, 0)
    refused(t, await diagnose('Other'), /no connection is called 'Other'; existing names: 'My shop'/)
    refused(t, await diagnose('00000000-0000-4000-8000-000000000000'), /404 LNK_CONNECTION_NOT_FOUND/)
  })

  await t.test('the example of the documentation: what blocks comes first, and the exit code is 1', async t => {
    await hub.call('PATCH', `/connections/${shop}/schedules/${schedule}`, { body: { enabled: true } })
    const text = await readChapter('connections', 'Diagnose a connection')
    const [, block = ''] = /^```sh\n(.*?)^```$/ms.exec(text) ?? []
    const [, expected = ''] = /^```text\n(.*?)^```$/ms.exec(text) ?? []
    const [pause = '', example = '', ...more] = block.trim().split('\n')
    const linker = (command: string) => run(...wordsOf(command.replace(/^npx linker /, '')))

    t.strictSame(more, [])
    t.match(await linker(pause), { code: 0 })
    const { code, stdout } = await linker(example)
    t.equal(code, 1)
    t.equal(normal(stdout), normal(expected))
    t.equal((await diagnose('My shop', '--json')).code, 1)
  })

  await t.test('jobs that wait are in a table', async t => {
    await start()
    const { stdout } = await diagnose('My shop')

    t.match(
      stdout,
      /\n\nJOBS +TYPE +WAITS FOR +OLDEST .*\n1 +master\.product\.syncByExternalId +connection-paused +\S+Z +\S+Z +/
    )
  })

  await t.test('the limits of the traffic to the platform are in a table', async t => {
    const openUntil = Date.now() + 600_000
    const breaker = { openedAt: openUntil - 660_000, openUntil, openings: 1, failure: 'GET /api answered 503' }
    const state = { own: { ratePerSecond: 2.5, burst: 4 }, breaker }
    await hub.database().query(
      'insert into upstream_states (connection_id, version, state, is_guarded) values ($1, 1, $2, true)',
      [shop, JSON.stringify(state)]
    )
    const { code, stdout } = await diagnose('My shop')

    t.equal(code, 1)
    t.match(stdout, /\n✗ upstream-broken +The platform of 'My shop' has failed since .* → The platform is down, or /)
    t.match(
      normal(stdout),
      /\n\nTRAFFIC LIMIT\nbudget 2\.5 requests per second, 4 at once\nbreaker open until TIME\n\nJOBS /
    )
  })

  await t.test('a deleted connection is found by its name, too', async t => {
    await hub.connect('mktb', { name: 'Mistyped', status: 'disabled' })
    await run('connections', 'delete', 'Mistyped')
    const found = await diagnose('Mistyped')

    t.match(found, { code: 1, stdout: /^'Mistyped' was deleted by .* at \S+Z\.\n\n✗ connection-deleted / })
  })
})
