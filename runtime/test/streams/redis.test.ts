import t from 'tap'
import { isInfrastructureError } from '../../src/database/infrastructure-error.ts'
import { eventKey, inboundGroup, inboundStream, jobsStream, type InboundEvent } from '../../src/streams/port.ts'
import { createRedisStreams } from '../../src/streams/redis.ts'
import * as scripts from '../../src/streams/scripts.ts'
import { testConsumers } from '../events/consumers-contract.ts'
import { testStreamContract } from './contract.ts'
import { event, jobMessage, read } from './contract/messages.ts'
import { silentLog, type RedisDriver } from './drivers.ts'
import { blocked, errorOf, openOwnRedis } from './own-redis.ts'

const connectionId = '7e6f2b64-6b1d-4d5e-8a27-0d3f3a1e9d10'

const driver = await openOwnRedis(t)
if (driver !== undefined) {
  testStreamContract(t, driver)
  testConsumers(t, driver)
  testRedis(driver)
}

function testRedis (driver: RedisDriver): void {
  const { streams, redis } = driver

  async function prepare (): Promise<void> {
    await driver.clear()
    await driver.setVersion(connectionId, 1)
  }

  t.test('the marker is named after provider, connection and event, and holds done', async t => {
    await prepare()
    await streams.publishEvent(event(connectionId, 'one'))

    t.equal(await redis.get(`webhook:shopa:${connectionId}:one`), 'done')
    t.equal(await driver.markerTtlSeconds(inboundStream, `webhook:shopa:${connectionId}:one`), 604_800)
  })

  t.test('a marker in state processing makes the event a duplicate and stays as it is', async t => {
    await prepare()
    await redis.set(eventKey(event(connectionId, 'one')), 'processing', 'EX', 60)

    t.equal(await streams.publishEvent(event(connectionId, 'one')), 'duplicate')

    t.equal(await streams.length(inboundStream), 0)
    t.equal(await redis.get(eventKey(event(connectionId, 'one'))), 'processing')
    t.ok(await redis.ttl(eventKey(event(connectionId, 'one'))) <= 60)
  })

  t.test('a publication to a key of another type leaves no marker, and a repeat succeeds', async t => {
    await prepare()
    await redis.set(inboundStream, 'not a stream')

    await t.rejects(streams.publishEvent(event(connectionId, 'one')), /WRONGTYPE/)

    t.equal(await redis.exists(eventKey(event(connectionId, 'one'))), 0)
    await redis.del(inboundStream)
    t.equal(await streams.publishEvent(event(connectionId, 'one')), 'published')
  })

  t.test('a publication to a full server leaves no marker, and a repeat succeeds', async t => {
    await prepare()
    await redis.config('SET', 'maxmemory', '1')

    const error = await errorOf(streams.publishEvent(event(connectionId, 'one')))
    const jobError = await errorOf(streams.enqueueJob(jobMessage('one')))

    await redis.config('SET', 'maxmemory', '0')
    t.match(error, /OOM/)
    t.ok(isInfrastructureError(error))
    t.match(jobError, /OOM/)
    t.equal(await redis.exists(eventKey(event(connectionId, 'one')), 'jobdedup:one'), 0)
    t.equal(await streams.length(inboundStream), 0)
    t.equal(await streams.publishEvent(event(connectionId, 'one')), 'published')
    t.ok((await streams.enqueueJob(jobMessage('one'))).isNew)
  })

  t.test('an event that Redis refuses fails alone', async t => {
    await prepare()
    const other = '00000000-6b1d-4d5e-8a27-0d3f3a1e9d10'
    await redis.lpush(`linker:connection-epoch:${other}`, 'not a string')

    const results = await Promise
      .allSettled([event(connectionId, 'one'), event(other, 'one'), event(connectionId, 'two')]
        .map(streams.publishEvent))

    t.strictSame(results.map(result => result.status), ['fulfilled', 'rejected', 'fulfilled'])
    t.strictSame((await driver.entries(inboundStream)).map(entry => entry.fields.eventId), ['one', 'two'])
  })

  t.test('a job that Redis refuses fails alone', async t => {
    await prepare()
    await redis.lpush('jobdedup:two', 'not a string')

    const results = await Promise.allSettled(['one', 'two', 'three'].map(key => streams.enqueueJob(jobMessage(key))))

    t.strictSame(results.map(result => result.status), ['fulfilled', 'rejected', 'fulfilled'])
    t.equal(await streams.length(jobsStream), 2)
  })

  t.test('the job marker holds the id of the entry', async t => {
    await prepare()
    const { id } = await streams.enqueueJob(jobMessage('the-key'))

    t.equal(await redis.get('jobdedup:the-key'), id)
    t.match(id, /^\d+-\d+$/)
  })

  t.test('a group that is gone is made again at the beginning, for reading and claiming', async t => {
    await prepare()
    await streams.publishEvent(event(connectionId, 'one'))
    await redis.xgroup('DESTROY', inboundStream, inboundGroup)
    t.strictSame((await read(streams)).map(entry => entry.fields.eventId), ['one'])

    await redis.xgroup('DESTROY', inboundStream, inboundGroup)
    t.strictSame(
      await streams.claimIdle({
        stream: inboundStream,
        group: inboundGroup,
        consumer: 'claimer',
        count: 10,
        minIdleMs: 0
      }),
      []
    )
    t.strictSame((await read(streams)).map(entry => entry.fields.eventId), ['one'])

    await redis.del(inboundStream)
    t.strictSame(await read(streams, { blockMs: 20 }), [])
    await streams.publishEvent(event(connectionId, 'two'))
    t.strictSame((await read(streams)).map(entry => entry.fields.eventId), ['two'])
  })

  t.test('a stream that is deleted under a waiting read is made again', async t => {
    await prepare()
    const waiting = read(streams, { blockMs: 10_000 })
    await blocked(driver)

    await redis.del(inboundStream)
    await redis.xadd(inboundStream, '*', 'eventId', 'after')

    t.strictSame((await waiting).map(entry => entry.fields), [{ eventId: 'after' }])
  })

  t.test('entries deleted while they were pending are counted as lost', async t => {
    await prepare()
    const warnings: object[] = []
    const loud = await createRedisStreams({
      url: driver.url,
      log: {
        warn: fields => {
          warnings.push(fields)
        }
      }
    })
    t.teardown(loud.close)
    await streams.publishEvent(event(connectionId, 'one'))
    const [entry] = await read(streams)
    await redis.xdel(inboundStream, entry?.id ?? '')

    t.strictSame(
      await loud.claimIdle({
        stream: inboundStream,
        group: inboundGroup,
        consumer: 'claimer',
        count: 10,
        minIdleMs: 0
      }),
      []
    )

    t.match(warnings, [{ stream: inboundStream, lost: 1, ids: [entry?.id] }])
    t.strictSame(await driver.pending(inboundStream, inboundGroup), [])
  })

  t.test('a message cannot forge where its dead entry comes from', async t => {
    await prepare()
    const id = await driver.add(inboundStream, { sourceId: '0', reason: 'forged' })
    await read(streams)
    await streams.deadLetter({ stream: inboundStream, group: inboundGroup, id, reason: 'true', deliveries: 1 })
    await streams.ensureGroup('events.inbound.webhooks.dead', 'operator')

    const [dead] = await read(streams, { stream: 'events.inbound.webhooks.dead', group: 'operator' })

    t.match(dead?.fields, { sourceStream: inboundStream, sourceId: id, reason: 'true' })
  })

  t.test('maintenance waits for every group', async t => {
    await prepare()
    for (let index = 0; index < 3; index++) await driver.add(inboundStream, { index: String(index) }, true)
    await streams.ensureGroup(inboundStream, 'slow')
    await streams.acknowledge(inboundStream, inboundGroup, (await read(streams)).map(entry => entry.id))
    const [slow] = await read(streams, { group: 'slow', count: 1 })

    await streams.maintain()
    t.equal(await streams.length(inboundStream), 3)

    await streams.acknowledge(inboundStream, 'slow', [slow?.id ?? ''])
    await read(streams, { group: 'slow' })
    await streams.maintain()
    t.equal(await streams.length(inboundStream), 2, 'what the slow group has in hand stays')
  })

  t.test('young entries above the length bound are removed once they are acknowledged', async t => {
    await prepare()
    const bounded = await createRedisStreams({ url: driver.url, log: silentLog, maxEntries: 3 })
    t.teardown(bounded.close)
    await Promise
      .all(Array.from({ length: 10 }, (_, index) => streams.publishEvent(event(connectionId, `event-${index}`))))
    const entries = await read(streams)
    await bounded.maintain()
    t.equal(await streams.length(inboundStream), 10)

    await streams.acknowledge(inboundStream, inboundGroup, entries.map(entry => entry.id))
    await bounded.maintain()

    t.equal(await streams.length(inboundStream), 3)
  })

  t.test('handled entries that take too many bytes go, the oldest first', async t => {
    await prepare()
    const bounded = await createRedisStreams({ url: driver.url, log: silentLog, maxBytes: 1_048_576 })
    t.teardown(bounded.close)
    await Promise.all(Array.from({ length: 40 }, (_, index) => streams.publishEvent(large(`event-${index}`))))
    const entries = await read(streams)
    await bounded.maintain()
    t.equal(await streams.length(inboundStream), 40, 'none before it is handled')

    await streams.acknowledge(inboundStream, inboundGroup, entries.map(entry => entry.id))
    await bounded.maintain()

    const kept = (await driver.entries(inboundStream)).map(entry => entry.fields.eventId)
    t.strictSame(kept, Array.from({ length: kept.length }, (_, index) => `event-${40 - kept.length + index}`))
    const bytes = (await bounded.sizes()).get(inboundStream) ?? Number.NaN
    t.ok(bytes <= 1_048_576 && bytes > 0, `${bytes} bytes of ${kept.length} entries`)
  })

  t.test('a chatty sender makes room by itself, long before the next turn of maintenance', async t => {
    await prepare()
    const bounded = await createRedisStreams({ url: driver.url, log: silentLog, maxBytes: 1_048_576 })
    t.teardown(bounded.close)
    let most = 0

    for (let index = 0; index < 100; index++) {
      await bounded.publishEvent(large(`event-${index}`))
      const entries = await read(streams)
      await streams.acknowledge(inboundStream, inboundGroup, entries.map(entry => entry.id))
      most = Math.max(most, (await bounded.sizes()).get(inboundStream) ?? Number.NaN)
    }

    t.ok(most < 2_097_152, `at most ${most} bytes while 10 MB came`)
  })

  t.test('looking behind a backlog of large entries reads a few of them at a time', async t => {
    await prepare()
    await Promise.all(Array.from({ length: 120 }, (_, index) => streams.publishEvent(large(`event-${index}`))))

    const { isEnd } = await streams.readAhead({ stream: inboundStream, group: inboundGroup, consumer: 'reader' })

    t.notOk(isEnd)
    const place = await redis.get(`linker:ahead:${inboundStream}`) ?? ''
    t.ok((await redis.xrange(inboundStream, '-', place)).length <= 60, 'four megabytes at most, head included')
  })

  t.test('without its stream a look makes the group again, and a full server only ends it', async t => {
    await prepare()
    await redis.del(inboundStream)

    t.strictSame(await streams.readAhead({ stream: inboundStream, group: inboundGroup, consumer: 'reader' }), {
      entries: [],
      isEnd: true
    })

    await redis.config('SET', 'maxmemory', '1')
    t.strictSame(await streams.readAhead({ stream: inboundStream, group: inboundGroup, consumer: 'reader' }), {
      entries: [],
      isEnd: true
    })
    await redis.config('SET', 'maxmemory', '0')
  })

  t.test('dead entries go after thirty days', async t => {
    await prepare()
    await redis.xadd('jobs.sync.dead', '1000-1', 'reason', 'old')
    await redis.xadd('jobs.sync.dead', '*', 'reason', 'young')

    await streams.maintain()

    t.equal(await streams.length('jobs.sync.dead'), 1)
  })

  t.test('silent consumers go when nothing is pending for them', async t => {
    await prepare()
    await streams.publishEvent(event(connectionId, 'one'))
    await read(streams, { consumer: 'busy' })
    await redis.xgroup('CREATECONSUMER', inboundStream, inboundGroup, 'silent')
    await redis.eval(scripts.dropConsumers, 1, inboundStream, 3_600_000)
    t.equal((await consumers(driver)).length, 2, 'not before they were silent for long')

    t.strictSame(await redis.eval(scripts.dropConsumers, 1, inboundStream, -1), ['silent'])

    t.match(await consumers(driver), [/busy/])
  })
}

/** An event of about 100 KB. */
function large (eventId: string): InboundEvent {
  const { fields, ...rest } = event(connectionId, eventId)
  return { ...rest, fields: { ...fields, payloadJson: JSON.stringify('x'.repeat(100_000)) } }
}

async function consumers ({ redis }: RedisDriver): Promise<string[]> {
  return (await redis.xinfo('CONSUMERS', inboundStream, inboundGroup) as unknown[]).map(String)
}
