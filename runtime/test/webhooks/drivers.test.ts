import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { eventKey, inboundStream } from '../../src/streams/port.ts'
import { hasRedisServer, leaveOut, openRedisDriver, openTableDriver, type StreamDriver } from '../streams/drivers.ts'
import { buildGateApp, connection, event, shopId, type GateApp } from './support.ts'

// These tests run the gate in front of the real streams. They check the rules of the specification
// for markers (3.2) and statuses (7.1).

const databaseUrl = process.env.LINKER_TEST_DATABASE_URL

await testDriver(t, 'PGlite', () => openTableDriver())
if (databaseUrl === undefined) leaveOut(t, 'PostgreSQL (LINKER_TEST_DATABASE_URL is not set)')
else await testDriver(t, 'PostgreSQL', () => openTableDriver(databaseUrl))
if (process.env.LINKER_TEST_REDIS_URL === undefined) leaveOut(t, 'Redis (LINKER_TEST_REDIS_URL is not set)')
else if (!hasRedisServer()) leaveOut(t, 'Redis (there is no redis-server to start one of its own)')
else {
  await testDriver(t, 'Redis', openRedisDriver)
  await testOutage(t)
}

function bodyOf (eventId: string): string {
  return JSON.stringify({ ...event, eventId })
}

async function openGate (t: Test, driver: StreamDriver): Promise<GateApp> {
  await driver.clear()
  await driver.setVersion(shopId, 1)
  return buildGateApp(t, { streams: driver.streams })
}

async function testDriver (t: Test, name: string, open: () => Promise<StreamDriver>): Promise<void> {
  await t.test(name, async t => {
    const driver = await open()
    t.teardown(() => driver.close())

    await t.test('an accepted event stands in the stream with the six fields and a marker of seven days', async t => {
      const { deliver } = await openGate(t, driver)
      t.equal((await deliver()).statusCode, 202)

      const entries = await driver.entries(inboundStream)
      t.equal(entries.length, 1)
      t.strictSame(Object.keys(entries[0]?.fields ?? {}), [
        'eventId',
        'eventType',
        'payloadJson',
        'metadataJson',
        'occurredAt',
        'publishedAt'
      ])
      t.equal(
        await driver.markerTtlSeconds(
          inboundStream,
          eventKey({ provider: 'shopa', connectionId: shopId, eventId: event.eventId })
        ),
        604_800
      )
    })

    await t.test('a thousand copies at once are answered 202 and published once', async t => {
      const { deliver } = await openGate(t, driver)
      const copies = await Promise.all(Array.from({ length: 1_000 }, () => deliver()))

      t.strictSame([...new Set(copies.map(copy => copy.statusCode))], [202])
      t.equal(await driver.streams.length(inboundStream), 1)
    })

    await t.test('a refused delivery leaves the stream and the markers as they were', async t => {
      const { deliver } = await openGate(t, driver)
      await deliver()
      const forged = Array.from(
        { length: 200 },
        (_, index) => deliver({ body: bodyOf(`forged-${index}`), secret: 'not-the-secret' })
      )
      const unknown = Array.from(
        { length: 200 },
        (_, index) => deliver({ body: bodyOf(`unknown-${index}`), connectionId: randomUUID() })
      )
      const malformed = Array.from({ length: 200 }, (_, index) => deliver({ body: bodyOf(`malformed ${index}`) }))

      t.strictSame([
        ...new Set((await Promise.all([...forged, ...unknown, ...malformed])).map(response => response.statusCode))
      ], [401, 404, 400])
      t.equal(await driver.streams.length(inboundStream), 1)
      t.equal(
        await driver.markerTtlSeconds(
          inboundStream,
          eventKey({ provider: 'shopa', connectionId: shopId, eventId: 'forged-0' })
        ),
        undefined
      )
    })

    await t.test('a connection that was disabled by another process refuses the next event', async t => {
      const { deliver, rows } = await openGate(t, driver)
      t.equal((await deliver()).statusCode, 202)
      rows.connections.set(shopId, connection(shopId, { status: 'disabled', epoch: 2 }))
      await driver.setVersion(shopId, 2)

      t.equal((await deliver({ body: bodyOf('two') })).statusCode, 404)
      t.equal(await driver.streams.length(inboundStream), 1)
    })

    await t.test('all bytes that JSON can write arrive as they were sent', async t => {
      const { deliver } = await openGate(t, driver)
      const payload = { text: Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).join('') }
      t.equal((await deliver({ body: JSON.stringify({ ...event, payload }) })).statusCode, 202)

      const [entry] = await driver.entries(inboundStream)
      t.strictSame(JSON.parse(entry?.fields.payloadJson ?? '').payload, payload)
    })
  })
}

/** This test starts its own Redis server, which it can stop. */
async function testOutage (t: Test): Promise<void> {
  await t.test('while Redis is away deliveries get 500 and leave no marker; afterwards they are accepted', async t => {
    const driver = await openRedisDriver()
    t.teardown(() => driver.close())
    const { deliver, streams } = await openGate(t, driver)
    t.equal((await deliver()).statusCode, 202)
    await driver.stopServer()

    const failed = await Promise.all(Array.from({ length: 20 }, (_, index) => deliver({ body: bodyOf(`e-${index}`) })))
    t.strictSame([...new Set(failed.map(response => `${response.statusCode} ${response.json().code}`))], [
      '500 LNK_PUBLISH_FAILED'
    ])
    t.equal(streams.entries.length, 0)

    await driver.startServer()
    let status = 0
    while (status !== 202) status = (await deliver({ body: bodyOf('e-0') })).statusCode
    t.equal(await driver.streams.length(inboundStream), 1)
    t.equal(await driver.redis.exists(`webhook:shopa:${shopId}:e-1`), 0)
  })

  await t.test('a publication that Redis refuses leaves no marker', async t => {
    const driver = await openRedisDriver()
    t.teardown(() => driver.close())
    const { deliver } = await openGate(t, driver)
    await driver.redis.set(inboundStream, 'not a stream')

    t.equal((await deliver()).statusCode, 500)
    t.strictSame(await driver.redis.keys('webhook:*'), [])
    await driver.redis.del(inboundStream)
    t.equal((await deliver()).statusCode, 202)
  })
}
