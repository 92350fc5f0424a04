import t from 'tap'
import { deadStreamOf, inboundGroup, inboundStream, jobsGroup, jobsStream } from '../../src/streams/port.ts'
import type { MessageRow } from '../../src/streams/stored/message.ts'
import { readRedisMessages } from '../../src/streams/stored/read-redis.ts'
import { clearRedis, findRedisContents, writeRedisMessages } from '../../src/streams/stored/write-redis.ts'
import type { RedisDriver } from './drivers.ts'
import { openOwnRedis } from './own-redis.ts'

const now = new Date()
const reader = { consumer: 'webhook-handler-1', blockMs: 0, signal: new AbortController().signal }

async function readAll ({ redis }: RedisDriver): Promise<MessageRow[]> {
  const rows: MessageRow[] = []
  for await (const page of readRedisMessages(redis, now)) rows.push(...page)
  return rows
}

/** The ids of the messages that wait in a stream. */
function waitingIn (rows: readonly MessageRow[], stream: string): unknown[] {
  return rows.filter(row => row[0] === stream && row[6] === null).map(row => (JSON.parse(row[2]) as { id: string }).id)
}

t.test('every message that no consumer has acknowledged is read, in its order', async t => {
  const driver = await openOwnRedis(t)
  if (driver === undefined) return
  const { streams, redis } = driver
  await streams.ensureGroup(inboundStream, inboundGroup)
  await streams.ensureGroup(jobsStream, jobsGroup)
  const ids = Array.from({ length: 350 }, (_, index) => String(index))
  for (const id of ids) await driver.add(inboundStream, { id })
  const taken = await streams.read({ ...reader, stream: inboundStream, group: inboundGroup, count: 250 })
  // Every third of those that were handed out is acknowledged, the first among them.
  const acknowledged = taken.filter((_, index) => index % 3 === 0)
  await streams.acknowledge(inboundStream, inboundGroup, acknowledged.map(({ id }) => id))
  await driver.add(jobsStream, { id: 'job', connectionId: 'c' })
  await streams.deadLetter({
    stream: inboundStream,
    group: inboundGroup,
    id: taken[1]?.id ?? '',
    reason: 'malformed',
    deliveries: 1
  })
  await redis.set('webhook:a:b:1', 'done', 'EX', 100)
  await redis.set('jobdedup:x', '1-1', 'EX', 100)
  await redis.set('foreign', 'key')
  const rows = await readAll(driver)

  const done = new Set([...acknowledged.map(({ fields }) => fields.id), '1'])
  t.strictSame(waitingIn(rows, inboundStream), ids.filter(id => !done.has(id)))
  t.strictSame(waitingIn(rows, jobsStream), ['job'])
  t.match(rows.filter(row => row[0] === deadStreamOf(inboundStream)), [{ 2: /"reason":"malformed".*"id":"1"/ }])
  const markers = rows.filter(row => row[1] !== null)
  t.strictSame(markers.map(row => [row[0], row[1]]).toSorted(), [
    [inboundStream, 'webhook:a:b:1'],
    [jobsStream, 'jobdedup:x']
  ])
  t.ok(markers.every(row => Date.parse(row[5]) > now.getTime() && Date.parse(row[5]) <= now.getTime() + 100_000))
})

t.test('messages are written as the hub left them, and nothing else is touched', async t => {
  const driver = await openOwnRedis(t)
  if (driver === undefined) return
  const { streams, redis } = driver
  await redis.set('foreign', 'key')
  const [at, later] = [now.toISOString(), new Date(now.getTime() + 100_000).toISOString()]
  await streams.ensureGroup(inboundStream, inboundGroup)
  t.equal(await findRedisContents(redis), undefined, 'the group of a hub that did nothing is no content')

  await writeRedisMessages(redis, [
    [inboundStream, 'webhook:a:b:1', '{"id":"1"}', null, at, later, null],
    [inboundStream, 'webhook:a:b:2', '{}', null, at, later, at],
    [inboundStream, 'webhook:a:b:3', '{}', null, at, at, at],
    [jobsStream, 'jobdedup:x', '{"id":"job"}', null, at, later, null],
    [deadStreamOf(jobsStream), null, '{"id":"dead"}', null, at, later, at]
  ], now)
  const [first] = await streams.read({ ...reader, stream: inboundStream, group: inboundGroup, count: 10 })
  t.match(first, { fields: { id: '1' }, deliveries: 1 })
  t.equal(await redis.xlen(inboundStream), 1)
  t.equal(await redis.xlen(deadStreamOf(jobsStream)), 1)
  t.strictSame((await redis.keys('webhook:*')).toSorted(), ['webhook:a:b:1', 'webhook:a:b:2'])
  t.equal(await redis.get('jobdedup:x'), (await redis.xrange(jobsStream, '-', '+'))[0]?.[0], 'the id of its entry')
  t.match(await findRedisContents(redis), /1 entries in events\.inbound\.webhooks/)

  await clearRedis(redis)
  t.strictSame(await redis.keys('*'), ['foreign'])
})
