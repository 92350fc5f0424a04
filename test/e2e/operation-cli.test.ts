import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createApi } from '../support/api.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'

t.test('commands that show how the hub is', async t => {
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env) })
  const shop = await hub.connect('shopa', { name: 'My shop' })
  const linker = (...args: string[]) => runLinker([...args, '--url', hub.url, '--token', hub.keys.admin], hub.directory)
  const requestId = randomUUID()
  await hub.deliver(shop, { eventType: 'product.saved', objectType: 'product', externalId: '27', requestId })
  await hub.jobsOf(requestId)
  await hub.call('POST', `/webhooks/shopa/${shop}`, { body: '{}', headers: { authorization: '' } })
  // Each restart stores what was counted, and gets another port.
  await hub.restart()

  t.test('linker figures shows the hours in which something happened', async t => {
    const all = await linker('figures')
    t.equal(all.code, 0, all.stderr)
    t.match(all.stdout, /^FROM +WEBHOOKS +REFUSED +JOBS DONE /)
    t.match(all.stdout, /^\d{4}-\d\d-\d\dT\d\d:00Z +1 +1 +[1-9]/m)
    t.match(all.stdout, /\n\nrefused: LNK_WEBHOOK_HEADER_MISSING 1\n$/)

    const ofShop = await linker('figures', '--by', 'minute', '--connection', 'My shop', '--json')
    t.match(JSON.parse(ofShop.stdout), { step: 60, series: { webhooksAccepted: Array, writtenP95: Array } })
    const before = await linker('figures', '--from', '7d', '--to', '3d', '--by', 'day')
    t.strictSame([before.code, before.stdout], [0, 'nothing happened in this time\n'])
  })

  t.test('linker connections health lists the connections by name', async t => {
    // The job that reads the product again at the end of the window waits.
    const { code, stdout } = await linker('connections', 'health')
    t.equal(code, 0)
    t.match(stdout, /^My shop +active +\d{4}-\S+Z .* 1 +0 +·*█·?$/m)
    t.notMatch(stdout, shop)
    const { stdout: text } = await linker('connections', 'health', '--platform', 'shopa', '--json')
    t.match(JSON.parse(text), [{ id: shop, name: 'My shop', waiting: 1 }])
  })

  t.test('linker system shows what runs', async t => {
    const { code, stdout } = await linker('system')
    t.equal(code, 0)
    t.match(stdout, /^PROCESS +ROLE +MODE +VERSION .*\nanswers +all +\w+ +\d/m)
    t.match(stdout, /^log level +/m)
    t.match(stdout, /^START +TOOK\nopening the database +\d+ ms\n/m)
    t.match(JSON.parse((await linker('system', '--json')).stdout), { mode: String, processes: [{ answers: true }] })
  })

  t.test('linker console prints a link that signs a person in', async t => {
    const { code, stdout, stderr } = await linker('console')
    t.match({ code, stderr }, { code: 0, stderr: /once, within 10 minutes\n$/ })
    const link = new URL(stdout.trim())
    t.equal(stdout, `${hub.url}/console/${link.hash}\n`)
    const body = { code: link.hash.replace('#code=', '') }
    t.match(await createApi(hub.url, '')('POST', '/session', { body }), { status: 201, json: { scope: 'admin' } })

    t.match(JSON.parse((await linker('console', '--json')).stdout), { address: /\/#code=[\w-]{43}$/, expiresAt: /Z$/ })
    t.notMatch(hub.log.join('\n'), body.code)
  })

  t.test('linker log-level changes the level for a while', async t => {
    const usual = await linker('log-level')
    t.match([usual.code, usual.stdout], [0, /^\w+, as LOG_LEVEL says\n$/])
    const changed = await linker('log-level', 'debug', '--minutes', '10')
    t.match([changed.code, changed.stdout], [0, /^debug until \d{4}-\S+Z, then \w+\n$/])
    t.match(JSON.parse((await linker('log-level', '--json')).stdout), { level: 'debug' })
    t.equal((await linker('log-level', 'usual')).stdout, usual.stdout)
    for (
      const [args, message] of [
        [['loud'], /Allowed choices/],
        [['debug', '--minutes', '0'], /from 1 to 1440/],
        [['--minutes', '5'], /goes with a level/]
      ] as const
    ) {
      const refused = await linker('log-level', ...args)
      t.not(refused.code, 0)
      t.match(refused.stderr, message)
    }
  })

  t.test('linker figures says what is wrong with its options', async t => {
    const cases = [
      [['--by', 'week'], /minute, hour, day/],
      [['--from', 'soon'], /must be a time/],
      [['--from', '100d'], /LNK_REQUEST_INVALID|90 days/],
      [['--connection', 'No shop'], /no connection is called 'No shop'/]
    ] as const
    for (const [args, message] of cases) {
      const { code, stderr } = await linker('figures', ...args)
      t.not(code, 0, args.join(' '))
      t.match(stderr, message)
    }
  })
})
