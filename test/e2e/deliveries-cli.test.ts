import { randomUUID } from 'node:crypto'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { refused } from '../support/command.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'

t.test('linker deliveries', async t => {
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env) })
  const shop = await hub.connect('shopa', { name: 'My shop' })
  const linker = (...args: string[]) =>
    runLinker(['deliveries', ...args, '--url', hub.url, '--token', hub.keys.admin], hub.directory)

  async function deliver (eventType: string): Promise<string> {
    const { headers } = await hub.deliver(shop, {
      eventType,
      objectType: 'stock',
      externalId: '27',
      eventId: randomUUID()
    })
    const id = String(headers['x-linker-delivery-id'])
    await eventually(`the end of delivery ${id}`, async () => {
      const { json } = await hub.call('GET', `/webhook-deliveries/${id}`)
      return ['succeeded', 'ignored'].includes((json as { status: string }).status) ? id : undefined
    })
    return id
  }
  const ignored = await deliver('stock.chnaged')
  const done = await deliver('stock.changed')

  t.test('list names the connection and the reason, and takes filters', async t => {
    const table = await linker('list')
    const json = await linker('list', '--connection', 'My shop', '--status', 'ignored', '--json')
    const one = await linker('list', '--limit', '1', '--json')

    t.equal(table.code, 0)
    const [heading, first, second] = table.stdout.split('\n')
    t.match(heading, /^TIME +CONNECTION +EVENT +OBJECT +STATUS +REPLAYS +DELIVERY +REASON$/)
    t.match(first, new RegExp(`^\\S+Z +My shop +stock\\.changed +27 +succeeded +${done}$`))
    t.match(second, new RegExp(`^\\S+Z +My shop +stock\\.chnaged +27 +ignored +${ignored} +unknown event type$`))
    t.match(JSON.parse(json.stdout), [{ id: ignored }])
    t.strictSame((JSON.parse(one.stdout) as { id: string }[]).map(({ id }) => id), [done])
    refused(t, await linker('list', '--status', 'lost'), /Allowed choices are queued, .*ignored/)
    t.match(JSON.parse((await linker('list', '--since', '1h', '--json')).stdout), [{ id: done }, { id: ignored }])
    t.strictSame(JSON.parse((await linker('list', '--until', '2026-01-01', '--json')).stdout), [])
    refused(t, await linker('list', '--since', 'yesterday'), /must be a time \(2026-.*, a date .* or an age \(90m/)
    refused(t, await linker('list', '--limit', 'many'), /give a number/)
    refused(t, await linker('list', '--connection', 'Other'), /no connection is called 'Other'/)
  })

  t.test('replay handles an event again, and show names the replay', async t => {
    const replayed = await linker('replay', done)
    const jobId = replayed.stdout.trim()
    await hub.endOf(jobId)
    const shown = await linker('show', done)
    const json = await linker('show', done, '--json')

    t.equal(replayed.code, 0)
    t.match(shown, {
      code: 0,
      stdout: new RegExp(
        `connection +My shop\n.*REPLAYED +STATUS +FINISHED +JOB +REASON\n\\S+Z +succeeded +\\S+Z +${jobId}\n`,
        's'
      )
    })
    t.match(JSON.parse(json.stdout), { id: done, replays: [{ jobId }] })
    t.match(shown.stdout, /\nreplayCount +1\n/)
    t.match((await linker('list')).stdout, new RegExp(` succeeded +1, last succeeded \\S+Z +${done}\n`))
    t.match(JSON.parse((await linker('list', '--replayed', 'true', '--json')).stdout), [{ id: done }])
    t.match(JSON.parse((await linker('list', '--replayed', 'false', '--json')).stdout), [{ id: ignored }])
    t.match(await linker('replay', ignored), { code: 1, stdout: 'the event still starts no job: unknown event type\n' })
    refused(t, await linker('show', randomUUID()), /404 LNK_DELIVERY_NOT_FOUND/)
  })

  t.test('replay takes a filter, with a dry run first', async t => {
    const left = await linker('replay', '--connection', 'My shop', '--dry-run')
    const planned = await linker('replay', '--connection', 'My shop', '--include-replayed', '--dry-run')
    const run = await linker('replay', '--connection', 'My shop', '--include-replayed', '--json')

    t.match(left, {
      code: 1,
      stdout: /^2 deliveries match\n0 would be replayed\n1 left out, because .* already; --include-replayed takes/
    })
    t.match(left.stdout, /\nleft out +\S+Z +My shop /)
    t.match(planned, {
      code: 0,
      stdout: new RegExp(
        '^2 deliveries match\n1 would be replayed\n1 of them had been replayed already\n' +
          '1 stays ignored: unknown event type\n\nWOULD BE +TIME .*\nreplayed +\\S+Z +My shop .*' +
          '\nignored +\\S+Z +My shop',
        's'
      )
    })
    t.match(JSON.parse(run.stdout), { matched: 2, jobs: 1, alreadyReplayed: 1, replays: [{ deliveryId: done }] })
    t.match(await linker('replay', '--connection', 'My shop', '--replayed', 'false'), {
      code: 1,
      stdout: /^1 delivery matches\n0 were replayed\n1 stays ignored/
    })
    refused(t, await linker('replay', done, '--include-replayed'), /--include-replayed goes with options/)
    t.match(await linker('replay', '--event', 'nobody'), { code: 1, stdout: '0 deliveries match\n0 were replayed\n' })
    refused(
      t,
      await linker('replay'),
      /give the id of a delivery, or options that say which deliveries, such as --connection$/m
    )
    refused(t, await linker('replay', done, '--connection', 'My shop'), /either the id .* not both/)
    refused(t, await linker('replay', done, '--dry-run'), /--dry-run goes with options/)
  })

  t.test('a delivery that waits for a pause says why, and until when', async t => {
    const until = new Date(Date.now() + 3_600_000).toISOString()
    await hub.call('POST', `/connections/${shop}/pause`, { body: { until } })
    const { headers } = await hub.deliver(shop, {
      eventType: 'stock.changed',
      objectType: 'stock',
      externalId: '28',
      eventId: randomUUID()
    })
    const id = String(headers['x-linker-delivery-id'])
    const reason = `connection-paused: its connection 'My shop' is paused \\(until ${until}\\)`
    await eventually('the delivery in the log', async () => {
      const { status } = await hub.call('GET', `/webhook-deliveries/${id}`)
      return status === 200 ? id : undefined
    })

    t.match((await linker('list', '--limit', '1')).stdout, new RegExp(` waiting +${id} +${reason}\n`))
    t.match((await linker('show', id)).stdout, new RegExp(`\nreason +${reason}\n`))
    await hub.call('POST', `/connections/${shop}/resume`, { body: {} })
  })

  t.test('refusals tells why deliveries are refused, and what to do', async t => {
    t.match(await linker('refusals', 'My shop'), { code: 0, stdout: 'no delivery was refused in the last 30 days\n' })
    await hub.call('POST', `/webhooks/shopa/${shop}`, { body: {} })
    const table = await linker('refusals', 'My shop')
    const json = await linker('refusals', shop, '--json')

    t.match(table, {
      code: 0,
      stdout:
        /^CODE +COUNT .*\nLNK_WEBHOOK_HEADER_MISSING +1 .*are missing: .*\n\nLNK_WEBHOOK_HEADER_MISSING: The sender/
    })
    t.match(JSON.parse(json.stdout), [{ code: 'LNK_WEBHOOK_HEADER_MISSING', count: 1 }])
  })
})
