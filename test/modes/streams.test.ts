import { Redis } from 'ioredis'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { buildTestHub, type Job, type TestHub } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import { readChapter } from '../support/runtime-docs.ts'

/** The first column of the table in a chapter of the page. */
async function fieldsOf (chapter: string): Promise<string[]> {
  const rows = (await readChapter('streams', chapter)).matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)
  return [...rows].flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
}

/** The commands for Redis in a chapter of the page, each as its words. */
async function commandsOf (chapter: string): Promise<string[][]> {
  const blocks = (await readChapter('streams', chapter)).matchAll(/```redis\n(.+?)\n```/gs)
  return [...blocks].flatMap(([, block = '']) => block.split('\n').map(wordsOf))
}

/** Splits a command as `redis-cli` does: outside quotes, a `"` within a word is an error there. */
function wordsOf (line: string): string[] {
  return line.split(' ').map(word => {
    const bare = word.replace(/^'(.*)'$/, '$1')
    if (bare === word && word.includes('"')) throw new Error(`redis-cli does not take ${word}`)
    return bare
  })
}

/** Returns the messages of a stream with their fields in order. */
async function read (hub: TestHub, redis: Redis | undefined, stream: string): Promise<[string, string][][]> {
  if (redis === undefined) {
    const rows = await hub.database().query<{ fields: string }>(
      'select fields::text as fields from stream_messages where stream = $1 order by id',
      [stream]
    )
    return rows.map(({ fields }) => Object.entries(JSON.parse(fields) as Record<string, string>))
  }
  return (await redis.xrange(stream, '-', '+')).map(([, parts]) =>
    parts.flatMap((part, index): [string, string][] => index % 2 === 0 ? [[part, parts[index + 1] ?? '']] : [])
  )
}

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: the streams are as their page says`, async t => {
    const hub = await buildTestHub(t, { mode })
    const { REDIS_URL } = hub.variables as { REDIS_URL?: string }
    const redis = REDIS_URL === undefined ? undefined : new Redis(REDIS_URL)
    t.teardown(() => redis?.disconnect())
    const shop = await hub.connect('shopa')
    const requestId = randomUUID()
    const event = { eventType: 'product.saved', objectType: 'product', externalId: '27', requestId }
    const { status } = await hub.deliver(shop, { ...event, eventId: 'evt-1', payload: { a: [1] } })
    t.equal(status, 202)
    const [job] = await hub.jobsOf(requestId)

    t.test('a webhook passes through both', async t => {
      const [[inbound = []], [jobs = []]] = await Promise.all([
        read(hub, redis, 'events.inbound.webhooks'),
        read(hub, redis, 'jobs.sync')
      ])
      const { payloadJson, metadataJson, ...message } = Object.fromEntries(inbound)
      const { payloadJson: payload, ...fields } = Object.fromEntries(jobs)

      t.strictSame(inbound.map(([name]) => name), await fieldsOf('events.inbound.webhooks'))
      t.match(message, { eventId: 'evt-1', eventType: 'inbound.webhook.product.saved', publishedAt: /Z$/ })
      t.strictSame(payloadJson, '{"objectType":"product","externalId":"27","payload":{"a":[1]}}')
      t.strictSame(JSON.parse(metadataJson ?? ''), {
        schemaVersion: 1,
        provider: 'shopa',
        connectionId: shop,
        requestId
      })
      t.strictSame(jobs.map(([name]) => name), await fieldsOf('jobs.sync'))
      t.match(fields, {
        jobType: 'master.product.syncByExternalId',
        connectionId: shop,
        idempotencyKey: `webhook:shopa:${shop}:evt-1`
      })
      const page = await readChapter('streams', 'jobs.sync')
      t.strictSame(Object.keys(JSON.parse(payload ?? '') as object).filter(name => !page.includes(`\`${name}\``)), [])
      t.equal(job?.idempotencyKey, fields.idempotencyKey)
    })

    t.test('the commands of the page write a job once, and read with a group', async t => {
      if (redis === undefined) return
      const [write = []] = await commandsOf('jobs.sync')
      const command = write.map(word => /^[0-9a-f]{8}-/.test(word) ? shop : word)
      const run = ([name = '', ...words]: string[]) => redis.call(name, ...words)
      await run(command)
      await run(command)
      const statuses = await eventually('the job', async () => {
        const { json } = await hub.call('GET', `/jobs?connectionId=${shop}&jobType=master.inventory.syncByExternalId`)
        const found = (json as Job[]).filter(({ idempotencyKey }) => idempotencyKey.startsWith('nightly-import:'))
        return found.some(({ finishedAt }) => finishedAt !== null) ? found.map(({ status }) => status) : undefined
      })
      t.strictSame(statuses, ['succeeded'])
      const [create = [], take = [], acknowledge = []] = await commandsOf('Groups')
      await run(create)
      const [id = ''] = /\d+-\d+/.exec(JSON.stringify(await run(take))) ?? []
      t.equal(await run([...acknowledge.slice(0, -1), id]), 1)
    })

    t.test('a message that is malformed ends in the dead ones, and the page shows where', async t => {
      const malformed = {
        jobType: 'no type',
        connectionId: '',
        payloadJson: '{}',
        idempotencyKey: 'bad',
        createdAt: ''
      }
      if (redis !== undefined) await redis.xadd('jobs.sync', '*', ...Object.entries(malformed).flat())
      else {
        await hub.database().query('insert into stream_messages (stream, fields) values ($1, $2::json)', [
          'jobs.sync',
          JSON.stringify(malformed)
        ])
        await hub.database().query("notify linker, 'jobs.sync'").catch(() => undefined)
      }
      const [dead = []] = await eventually('the dead message', async () => {
        const found = await read(hub, redis, 'jobs.sync.dead')
        return found.length > 0 ? found : undefined
      }, 60_000)
      const origin = await fieldsOf('What nobody can handle')

      t.strictSame(dead.map(([name]) => name), [...origin, ...Object.keys(malformed)])
      t.match(Object.fromEntries(dead), { sourceStream: 'jobs.sync', reason: /^malformed: \/jobType/, deliveries: '1' })
      if (redis === undefined) {
        const [, statement = ''] = /```sql\n(.+?)\n```/s.exec(await readChapter('streams', 'What nobody can handle')) ??
          []
        t.match(await hub.database().query(statement), [{ stream: 'jobs.sync.dead' }])
        return
      }
      for (const [name = '', ...words] of await commandsOf('What nobody can handle')) {
        t.ok(Array.isArray(await redis.call(name, ...words)))
      }
    })
  })
}
