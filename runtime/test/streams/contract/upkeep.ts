import type { Test } from 'tap'
import { deadStreamOf, inboundGroup, inboundStream } from '../../../src/streams/port.ts'
import type { StreamDriver } from '../drivers.ts'
import { claim, event, prepare, read } from './messages.ts'

/** Dead letters, maintenance and health. */
export function testUpkeep (t: Test, driver: StreamDriver): void {
  const { streams } = driver

  t.test('a dead entry is copied to the dead stream once, with origin and reason, and acknowledged', async t => {
    await prepare(driver)
    const id = await driver.add(inboundStream, { eventId: 'one', eventType: '' })
    await read(streams)
    const dead = { stream: inboundStream, group: inboundGroup, id, reason: 'malformed: /eventType', deliveries: 5 }

    await streams.deadLetter(dead)
    await streams.deadLetter(dead)

    const [entry, ...others] = await driver.entries(deadStreamOf(inboundStream))
    t.strictSame(others, [])
    t.equal(await streams.length('events.inbound.webhooks.dead'), 1)
    t.strictSame(
      Object.entries(entry?.fields ?? {}),
      Object.entries({
        sourceStream: inboundStream,
        sourceId: id,
        reason: 'malformed: /eventType',
        deliveries: '5',
        eventId: 'one',
        eventType: ''
      })
    )
    t.strictSame(await driver.pending(inboundStream, inboundGroup), [])
    t.match(await streams.listDead(), [{
      stream: inboundStream,
      count: 1,
      lastAt: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
      reason: 'malformed: /eventType'
    }])
  })

  t.test('maintenance removes only acknowledged entries that are older than their markers', async t => {
    const connectionId = await prepare(driver)
    const old: string[] = []
    for (let index = 0; index < 5; index++) old.push(await driver.add(inboundStream, { index: String(index) }, true))
    await streams.publishEvent(event(connectionId, 'young'))
    const entries = await read(streams, { count: 4 })
    await streams.acknowledge(inboundStream, inboundGroup, entries.slice(0, 2).map(entry => entry.id))

    await streams.maintain()

    t.strictSame(
      (await driver.entries(inboundStream)).map(entry => entry.id).slice(0, 3),
      old.slice(2),
      'pending and undelivered entries stay'
    )
    await streams.acknowledge(inboundStream, inboundGroup, (await read(streams)).map(entry => entry.id))
    await streams.acknowledge(inboundStream, inboundGroup, entries.map(entry => entry.id))
    await streams.maintain()
    t.strictSame(
      (await driver.entries(inboundStream)).map(entry => entry.fields.eventId),
      ['young'],
      'a young entry stays although it is acknowledged'
    )
    t.equal(await streams.publishEvent(event(connectionId, 'young')), 'duplicate')
  })

  t.test('an answering server is healthy', async t => {
    await t.resolves(streams.ping())
  })

  t.test('a test write is no message, and maintenance removes what it left', async t => {
    await prepare(driver)
    await streams.touch()
    await streams.touch()

    t.strictSame(await read(streams), [])
    t.strictSame(await claim(streams, { minIdleMs: 0 }), [])
    await streams.maintain()
    t.strictSame(await driver.entries('linker.touch'), [])
  })
}
