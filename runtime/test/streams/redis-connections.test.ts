import { randomUUID } from 'node:crypto'
import t from 'tap'
import { isInfrastructureError } from '../../src/database/infrastructure-error.ts'
import { inboundGroup, inboundStream } from '../../src/streams/port.ts'
import { createRedisStreams } from '../../src/streams/redis.ts'
import { event, read } from './contract/messages.ts'
import { freePort, silentLog, startRedisServer, stopRedisServer } from './drivers.ts'
import { blocked, errorOf, openOwnRedis, untilAnswers } from './own-redis.ts'

const driver = await openOwnRedis(t)
if (driver !== undefined) {
  const { streams } = driver
  const connectionId = randomUUID()

  t.test('a server that stops fails the calls under way as infrastructure, and serves again later', async t => {
    await driver.setVersion(connectionId, 1)
    await streams.ensureGroup(inboundStream, inboundGroup)
    const waiting = errorOf(read(streams, { blockMs: 10_000 }))
    await blocked(driver)
    await driver.stopServer()

    const errors = await Promise.all([
      waiting,
      ...[streams.publishEvent(event(connectionId, 'one')), read(streams, { blockMs: 100 }), streams.ping()]
        .map(errorOf)
    ])
    for (const error of errors) t.ok(isInfrastructureError(error), String(error))

    await driver.startServer()
    await untilAnswers(() => streams.ping())
    t.equal(await streams.publishEvent(event(connectionId, 'one')), 'stale', 'the new server knows no versions')
    await streams.setEpoch(connectionId, 1)
    t.equal(await streams.publishEvent(event(connectionId, 'one')), 'published')
    t.strictSame((await read(streams)).map(entry => entry.fields.eventId), ['one'])
  })

  t.test('an address where nothing answers is named', async t => {
    await t.rejects(
      createRedisStreams({ url: `redis://127.0.0.1:${await freePort()}`, log: silentLog }),
      /Redis at 127.0.0.1:\d+ does not answer: connect ECONNREFUSED/
    )
  })

  t.test('a Redis Cluster is refused', async t => {
    const port = await freePort()
    const server = await startRedisServer(
      port,
      '--cluster-enabled',
      'yes',
      '--cluster-config-file',
      `linker-test-nodes-${port}.conf`
    )
    t.teardown(() => stopRedisServer(server))

    await t.rejects(createRedisStreams({ url: `redis://127.0.0.1:${port}`, log: silentLog }), {
      code: 'LNK_REDIS_CLUSTER'
    })
  })
}
