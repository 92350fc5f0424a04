import t from 'tap'
import { refused } from '../support/command.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub, type Job } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'

t.test('linker jobs', async t => {
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env) })
  const shop = await hub.connect('shopa', { name: 'My shop' })
  const linker = (...args: string[]) =>
    runLinker(['jobs', ...args, '--url', hub.url, '--token', hub.keys.admin], hub.directory)
  const run = async (externalId: string): Promise<string> => {
    const { json } = await hub.call('POST', '/jobs', {
      body: { jobType: 'master.product.syncByExternalId', connectionId: shop, payload: { externalId } }
    })
    return (json as { jobId: string }).jobId
  }
  const dead = await run('999999')
  t.match(await hub.endOf(dead), { status: 'dead' })
  const done = await run('27')
  t.match(await hub.endOf(done), { status: 'succeeded' })

  t.test('list shows them with the name of their connection, and takes it', async t => {
    const table = await linker('list', '--connection', 'My shop', '--status', 'dead')
    const json = await linker('list', '--json', '--code', 'LNK_ADAPTER_NOT_FOUND')
    const none = await linker('list', '--until', '2000-01-01T00:00:00Z')
    const all = await linker('list', '--type', 'master.product.syncByExternalId', '--limit', '1')

    t.match(table, {
      code: 0,
      stdout: /^JOB +TYPE +CONNECTION +STATUS +ATTEMPTS +MADE +REASON\n\S+ +master\.\S+ +My shop +dead +1 +\S+Z +LNK_/
    })
    t.strictSame((JSON.parse(json.stdout) as Job[]).map(({ id }) => id), [dead])
    t.match(none, { code: 0, stdout: /^JOB .*\n$/ })
    t.equal(all.stdout.trim().split('\n').length, 2)
    t.equal((await linker('list', '--connection', shop.slice(0, 6), '--status', 'dead')).stdout, table.stdout)
    refused(t, await linker('list', '--connection', 'Other'), /no connection is called 'Other'/)
    refused(t, await linker('list', '--offer', '7'), /no offer has the id, SKU or EAN '7'/)
    refused(t, await linker('list', '--limit', '201'), /400 LNK_REQUEST_INVALID/)
  })

  t.test('show prints its object, payload and attempts', async t => {
    const table = await linker('show', dead)
    const json = await linker('show', dead, '--json')
    const { objectKey } = JSON.parse(json.stdout) as Job
    const same = await linker('list', '--json', '--object', objectKey)

    t.match(table, { code: 0, stdout: /My shop +dead[^]*object +master[^]*\{"externalId":"999999"\}[^]*STARTED/ })
    t.match(JSON.parse(json.stdout), { id: dead, status: 'dead', waitsFor: null })
    t.strictSame((JSON.parse(same.stdout) as Job[]).map(({ id }) => id), [dead])
    refused(t, await linker('show', '00000000-0000-4000-8000-000000000000'), /404 LNK_JOB_NOT_FOUND/)
    t.equal((await linker('show', dead.slice(0, 8))).stdout, table.stdout, 'the beginning of the id is enough')
    refused(t, await linker('show', '00000000-0'), /no id of a job begins with '00000000-0'/)
    refused(t, await linker('show', '0000'), /LNK_/)
  })

  t.test('groups counts the dead ones', async t => {
    const table = await linker('groups')
    const json = await linker('groups', '--json', '--status', 'waiting')

    const [headings = '', row = '', ...rest] = table.stdout.trim().split('\n')
    t.match(headings, /^JOBS +CONNECTION +TYPE +CODE +FIRST +LAST +SAMPLE$/)
    t.match(row, /^1 +My shop +master\.\S+ +LNK_ADAPTER_NOT_FOUND +\S+Z +\S+Z +/)
    t.ok(row.endsWith(dead))
    t.strictSame([table.code, rest], [0, []])
    t.strictSame(JSON.parse(json.stdout), { groups: [], atMost: false })
    refused(t, await linker('groups', '--status', 'running'), /400 LNK_REQUEST_INVALID/)
    await hub.call('POST', `/connections/${shop}/pause`)
    const waits = await run('31')
    const waiting = await linker('groups', '--status', 'waiting')
    await hub.call('POST', `/connections/${shop}/resume`)
    await hub.endOf(waits)
    t.match(waiting.stdout, /^JOBS +CONNECTION +TYPE +SAMPLE WAITS FOR +FIRST .*\n1 +My shop +\S+ +connection-paused /)
  })

  t.test('retry and cancel say what became of the job', async t => {
    await hub.call('PATCH', `/connections/${shop}/disable`)
    const retried = await linker('retry', dead)
    const waiting = await linker('list', '--status', 'waiting')
    const cancelled = await linker('cancel', dead, '--reason', 'the product is gone')
    const shown = await linker('show', dead)

    t.match(retried, { code: 0, stdout: `${dead}  waiting: its connection 'My shop' is disabled\n` })
    t.match(waiting.stdout, /connection-disabled: its connection 'My shop' is disabled/)
    t.match(cancelled, { code: 0, stdout: `${dead}  cancelled\n` })
    t.match(shown.stdout, /LNK_JOB_CANCELLED: cancelled by '.*': the product is gone/)
    refused(t, await linker('cancel', dead), /409 LNK_JOB_CANCELLED/)
    refused(t, await linker('retry', done), /409 LNK_JOB_SUCCEEDED/)
    const json = await linker('retry', dead, '--json')
    t.match(JSON.parse(json.stdout), { id: dead, status: 'waiting', cancellation: null })
    t.match(JSON.parse((await linker('cancel', dead, '--json')).stdout), { id: dead, status: 'cancelled' })
  })
})
