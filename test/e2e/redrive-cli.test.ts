import { generateCatalog } from '@linker/simulators'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { refused } from '../support/command.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'

const jobType = 'master.product.syncByExternalId'

t.test('linker jobs redrive', async t => {
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env) })
  const shop = await hub.connect('shopa', { name: 'My shop' })
  const linker = (...args: string[]) =>
    runLinker(['jobs', ...args, '--url', hub.url, '--token', hub.keys.admin], hub.directory)
  const outage = { method: 'GET', path: /^\/api\/products/, times: Number.POSITIVE_INFINITY, answer: { status: 404 } }
  hub.shop.faults.add(outage)
  const dead: string[] = []
  for (const product of generateCatalog({ products: 3, combinationsEach: 0 })) {
    hub.shop.addProduct(product)
    const { json } = await hub.call('POST', '/jobs', {
      body: { jobType, connectionId: shop, payload: { externalId: String(product.id) } }
    })
    const { jobId } = json as { jobId: string }
    t.match(await hub.endOf(jobId), { status: 'dead' })
    dead.push(jobId)
  }

  t.test('without an option that says which jobs, it asks for one, in the words of the API', async t => {
    const { json } = await hub.call('POST', '/jobs/retry', { body: { filter: {} } })
    const { detail } = json as { detail: string }
    const answer = await linker('redrive', '--first', '1')

    refused(t, answer, /at least one member/)
    t.ok(answer.stderr.includes(detail))
    refused(t, await linker('redrive', '--connection', 'Other'), /no connection is called 'Other'/)
    refused(t, await linker('redrive', '--type', jobType, '--first', '0'), /a number from 1 to 10000/)
    refused(t, await linker('redrive', '--type', jobType, '--per-minute', '10001'), /a number from 1 to 10000/)
    refused(t, await linker('redrive', '--job', '7'), /400 LNK_REQUEST_INVALID/)
    t.strictSame((await hub.call('GET', '/redrives')).json, [])
  })

  t.test('--dry-run prints what would happen', async t => {
    const plan = await linker('redrive', '--connection', 'My shop', '--dry-run')
    const json = await linker('redrive', '--connection', 'My shop', '--dry-run', '--json')
    const none = await linker('redrive', '--until', '2000-01-01T00:00:00Z', '--dry-run')

    t.match(plan, { code: 0, stdout: /^3 jobs match\n3 would run again\n\nJOBS +CONNECTION +TYPE +CODE\n3 +My shop +/ })
    t.match(plan.stdout, new RegExp(`\n${dead[0]} +${jobType.replaceAll('.', '\\.')} +My shop +\\S+Z +LNK_`))
    t.match(JSON.parse(json.stdout), { matched: 3, eligible: 3, byGroup: [{ connectionName: 'My shop', count: 3 }] })
    t.match(none, { code: 1, stdout: '0 jobs match\n0 would run again\n' })
  })

  t.test('--wait ends with 1 when the first job dies again', async t => {
    const tried = await linker('redrive', '--connection', 'My shop', '--first', '1', '--wait')
    const id = /^\S+/.exec(tried.stdout)?.[0] ?? ''
    const shown = await linker('redrive', 'show', id.slice(0, 8))
    const stopped = await linker('redrive', 'stop', id.slice(0, 13).toUpperCase())
    const listed = await linker('redrives')

    t.equal(tried.code, 1)
    t.match(tried.stdout, /waiting: the first job died again; 2 jobs wait until/)
    t.match(
      tried.stdout,
      /\nconnection: My shop, first: 1\n1 died again: LNK_\w+, such as \S+\n`linker jobs redrive continue/
    )
    t.match(shown, { code: 0, stdout: new RegExp(`^${id}  waiting`) })
    t.match(stopped, { code: 0, stdout: /stopped/ })
    t.match(listed.stdout, /^REDRIVE +STATE +JOBS +RETRIED .*\n\S+ +stopped +3 +1 +0 +1 +2 +\S+Z/)
    refused(t, await linker('redrive', 'continue', id), /409 LNK_REDRIVE_ENDED/)
    refused(t, await linker('redrive', 'show', '00000000'), /no id of a redrive begins with '00000000'/)
  })

  t.test('cancel-dead gives up the jobs that it names', async t => {
    const tried = await linker('cancel-dead', '--connection', 'My shop', '--dry-run')
    const [, , third = ''] = dead
    const given = await linker('cancel-dead', '--job', third, '--reason', 'gone')
    const again = await linker('cancel-dead', '--job', third, '--json')
    const back = await linker('retry', third)

    refused(t, await linker('cancel-dead'), /at least one member/)
    t.match(tried, { code: 0, stdout: /^3 jobs would be cancelled\n\nJOBS +CONNECTION +TYPE +CODE\n3 +My shop +/ })
    t.match(given, { code: 0, stdout: /^1 job cancelled\n/ })
    t.match(again, { code: 1 })
    t.match(JSON.parse(again.stdout), { matched: 1, cancelled: 0, skipped: [{ reason: 'not-dead', count: 1 }] })
    t.match(back, { code: 0, stdout: new RegExp(third) })
    t.match(await hub.endOf(third), { status: 'dead' })
  })

  t.test('without --wait it names the redrive', async t => {
    const [first = ''] = dead
    const started = await linker('redrive', '--job', first)
    const [id = ''] = started.stdout.split(' ')
    // Its job must die before the fault ends, or the next redrive would not find it.
    await eventually('the end of the redrive', async () => {
      const { state } = (await hub.call('GET', `/redrives/${id}`)).json as { state: string }
      return state === 'done' ? true : undefined
    })

    t.match(started, { code: 0, stdout: /^[0-9a-f-]{36} {2}1 job\n/ })
    t.match((await linker('redrive', 'show', id)).stdout, /\njobs: 1/)
  })

  t.test('after the outage, it goes on with the others', async t => {
    hub.shop.faults.clear()
    const started = await linker(
      'redrive',
      '--type',
      jobType,
      '--first',
      '1',
      '--per-minute',
      '600',
      '--wait',
      '--json'
    )
    const { id } = JSON.parse(started.stdout) as { id: string }
    const waiting = await linker('redrive', 'show', id)
    t.match(waiting.stdout, new RegExp(`^\`linker jobs redrive continue ${id}\` lets the others run,`, 'm'))
    const done = await linker('redrive', 'continue', id, '--wait')
    const shown = await linker('redrive', 'show', id, '--json')
    const listed = await linker('redrives', '--json', '--limit', '1')

    t.equal(started.code, 0)
    t.match(JSON.parse(started.stdout), { state: 'waiting', retried: 1, succeeded: 1, perMinute: 600 })
    t.match(
      done.stdout,
      /^\S+ {2}done: all 3 jobs that ran again have ended\n3 of 3 jobs retried, 3 succeeded, 0 died again, 0 remain\n/
    )
    t.equal(done.code, 0)
    t.match(JSON.parse(shown.stdout), { id, state: 'done' })
    t.match(JSON.parse(listed.stdout), [{ id }])
    t.equal((JSON.parse(listed.stdout) as object[]).length, 1)
    refused(t, await linker('redrive', 'show', '00000000-0000-4000-8000-000000000000'), /404 LNK_REDRIVE_NOT_FOUND/)
  })

  t.test('when no job can run again, it starts nothing, says why and ends with 1, with and without --wait', async t => {
    const before = (await hub.call('GET', '/redrives')).text
    const none = await linker('redrive', '--code', 'LNK_TYPO')
    const skipped = await linker('redrive', '--job', ...dead, '--wait')
    const json = await linker('redrive', '--job', ...dead, '--json')

    t.match(none, { code: 1, stdout: /^0 jobs match\n0 would run again\n\nnothing was started, / })
    t.match(skipped, {
      code: 1,
      stdout: /^3 jobs match\n0 would run again\n3 skipped: not dead any more.*\n\nnothing was started, /
    })
    t.equal(json.code, 1)
    t.match(JSON.parse(json.stdout), { eligible: 0, skipped: [{ reason: 'not-dead', count: 3 }] })
    t.equal((await hub.call('GET', '/redrives')).text, before)
  })
})
