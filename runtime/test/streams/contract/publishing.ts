import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { eventKey, inboundStream, markerTtlSeconds } from '../../../src/streams/port.ts'
import type { StreamDriver } from '../drivers.ts'
import { event, events, prepare, read } from './messages.ts'

/** Publishing an event: once per id and connection, in order, whole. */
export function testPublishing (t: Test, driver: StreamDriver): void {
  const { streams } = driver

  t.test('a fresh event is published with exactly its fields, in order, and its marker lives seven days', async t => {
    const connectionId = await prepare(driver)

    t.equal(await streams.publishEvent(event(connectionId, 'one')), 'published')

    const [entry, ...others] = await driver.entries(inboundStream)
    t.strictSame(others, [])
    t.strictSame(Object.entries(entry?.fields ?? {}), Object.entries(event(connectionId, 'one').fields))
    t.strictSame(Object.keys(entry?.fields ?? {}), [
      'eventId',
      'eventType',
      'payloadJson',
      'metadataJson',
      'occurredAt',
      'publishedAt'
    ])
    t.equal(await driver.markerTtlSeconds(inboundStream, eventKey(event(connectionId, 'one'))), markerTtlSeconds)
  })

  t.test('a second copy of an event is a duplicate and adds nothing', async t => {
    const connectionId = await prepare(driver)
    await streams.publishEvent(event(connectionId, 'one'))

    t.equal(await streams.publishEvent(event(connectionId, 'one')), 'duplicate')

    t.equal(await streams.length(inboundStream), 1)
  })

  t.test('an event whose marker has expired is published again, and its first entry is still handed out', async t => {
    const connectionId = await prepare(driver)
    await streams.publishEvent(event(connectionId, 'one'))
    await driver.expireMarker(inboundStream, eventKey(event(connectionId, 'one')))

    t.equal(await streams.publishEvent(event(connectionId, 'one')), 'published')

    t.equal(await streams.publishEvent(event(connectionId, 'one')), 'duplicate')
    t.equal(await driver.markerTtlSeconds(inboundStream, eventKey(event(connectionId, 'one'))), markerTtlSeconds)
    t.equal((await read(streams)).length, 2)
  })

  t.test('several events are published in their order, and those that are there already are duplicates', async t => {
    const connectionId = await prepare(driver)
    const named = (...ids: string[]) => ids.map(id => event(connectionId, id))
    await streams.publishEvent(event(connectionId, 'two'))

    t.strictSame(await streams.publishEvents(named('one', 'two', 'three', 'one')), [
      'published',
      'duplicate',
      'published',
      'duplicate'
    ])
    t.strictSame(await streams.publishEvents(named('one', 'three')), ['duplicate', 'duplicate'])
    t.strictSame(await streams.publishEvents([]), [])

    t.strictSame((await driver.entries(inboundStream)).map(({ fields }) => fields.eventId), ['two', 'one', 'three'])
  })

  t.test('many lists at once, each twice from two processes, are stored once, each in its order', async t => {
    const connectionId = await prepare(driver)
    const another = await driver.openAnother()
    const names = Array.from({ length: 12 }, (_, index) => `list-${index}`)
    const lists = names.map(name => events(connectionId, 20, name))

    const results = await Promise.all([...lists.map(streams.publishEvents), ...lists.map(another.publishEvents)])

    t.equal(results.flat().filter(result => result === 'published').length, 240)
    const ids = (await driver.entries(inboundStream)).map(({ fields }) => fields.eventId ?? '')
    t.equal(ids.length, 240)
    for (const [index, name] of names.entries()) {
      t.strictSame(
        ids.filter(id => id.startsWith(`${name}-`)),
        lists[index]?.map(({ eventId }) => eventId),
        name
      )
    }
  })

  t.test('closing waits for lists on their way', async t => {
    const connectionId = await prepare(driver)
    const another = await driver.openAnother()
    const lists = Array.from({ length: 8 }, (_, index) => events(connectionId, 5, `list-${index}`))

    const results = Promise.all(lists.map(another.publishEvents))
    await another.close()

    t.equal(await streams.length(inboundStream), 40)
    t.strictSame(new Set((await results).flat()), new Set(['published']))
  })

  t.test('several events of another version of the connection are all stale', async t => {
    const connectionId = await prepare(driver)
    const stale = ['one', 'two'].map(id => ({ ...event(connectionId, id), epoch: 7 }))

    t.strictSame(await streams.publishEvents(stale), ['stale', 'stale'])

    t.equal(await streams.length(inboundStream), 0)
  })

  t.test('the same event id on two connections means two events', async t => {
    const connectionId = await prepare(driver)
    const other = randomUUID()
    await driver.setVersion(other, 1)

    const results = await Promise.all([
      streams.publishEvent(event(connectionId, 'one')),
      streams.publishEvent(event(other, 'one'))
    ])

    t.strictSame(results, ['published', 'published'])
    t.equal(await streams.length(inboundStream), 2)
  })

  t.test('1 000 simultaneous copies from two processes make one entry', async t => {
    const connectionId = await prepare(driver)
    const another = await driver.openAnother()

    const results = await Promise
      .all(Array.from(
        { length: 1_000 },
        (_, index) => (index % 2 === 0 ? streams : another).publishEvent(event(connectionId, 'one'))
      ))

    t.equal(results.filter(result => result === 'published').length, 1)
    t.equal(results.filter(result => result === 'duplicate').length, 999)
    t.equal(await streams.length(inboundStream), 1)
  })

  t.test('500 events, each twice from two processes in opposite order, are 500 entries', async t => {
    const connectionId = await prepare(driver)
    const another = await driver.openAnother()
    const fresh = events(connectionId, 500)

    const results = await Promise.all([
      ...fresh.map(streams.publishEvent),
      ...fresh.toReversed().map(another.publishEvent)
    ])

    t.equal(results.filter(result => result === 'published').length, 500)
    t.equal(await streams.length(inboundStream), 500)
  })

  t.test('events published one turn after the other keep their order', async t => {
    const connectionId = await prepare(driver)
    const ids = Array.from({ length: 50 }, (_, index) => `event-${99 - index}`)

    await Promise.all(ids.map(id => streams.publishEvent(event(connectionId, id))))

    t.strictSame((await read(streams)).map(entry => entry.fields.eventId), ids)
  })

  t.test('an event checked against another version of its connection is stale and leaves nothing', async t => {
    const connectionId = await prepare(driver)
    await driver.setVersion(connectionId, 3)
    const stale = { ...event(connectionId, 'one'), epoch: 2 }

    t.equal(await streams.publishEvent(stale), 'stale')

    t.equal(await streams.length(inboundStream), 0)
    t.equal(await driver.markerTtlSeconds(inboundStream, eventKey(stale)), undefined)
    t.equal(await streams.publishEvent({ ...stale, epoch: 3 }), 'published')
    t.equal(await streams.publishEvent(stale), 'stale', 'also when the event is a duplicate')
  })

  t.test('an event of an unknown connection is stale', async t => {
    await prepare(driver)

    t.equal(await streams.publishEvent(event(randomUUID(), 'one')), 'stale')
    t.equal(await streams.publishEvent(event('not-a-uuid', 'one')), 'stale')
    t.equal(await streams.length(inboundStream), 0)
  })

  t.test('a process that sets an older version changes nothing', async t => {
    const connectionId = await prepare(driver)
    await driver.setVersion(connectionId, 5)

    await streams.setEpoch(connectionId, 4)

    t.equal(await streams.publishEvent({ ...event(connectionId, 'one'), epoch: 4 }), 'stale')
    t.equal(await streams.publishEvent({ ...event(connectionId, 'one'), epoch: 5 }), 'published')
  })

  t.test('every character survives', async t => {
    const connectionId = await prepare(driver)
    const characters =
      Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(character =>
        character.isWellFormed()
      ).join('') + '\u{1F4E6}'
    const lone = JSON.stringify('\ud800')
    const fields = { ...event(connectionId, 'one').fields, payloadJson: characters, metadataJson: lone, occurredAt: '' }
    await streams.publishEvent({ ...event(connectionId, 'one'), fields })

    const [entry] = await read(streams)

    t.ok(entry?.fields.payloadJson === characters)
    t.strictSame(entry?.fields, fields)
  })
}
