import type { Test } from 'tap'
import { inboundGroup, inboundStream, jobsGroup, jobsStream } from '../../../src/streams/port.ts'
import type { StreamDriver } from '../drivers.ts'
import { byId, event, jobMessage, prepare, read } from './messages.ts'

/** Handing entries out, and waiting for them. */
export function testReading (t: Test, driver: StreamDriver): void {
  const { streams } = driver

  t.test('an entry is handed out once, with the number of its delivery', async t => {
    const connectionId = await prepare(driver)
    await streams.publishEvent(event(connectionId, 'one'))
    await streams.publishEvent(event(connectionId, 'two'))

    const first = await read(streams, { count: 1 })
    const second = await read(streams, { consumer: 'another' })

    t.strictSame([...first, ...second].map(entry => [entry.fields.eventId, entry.deliveries]), [['one', 1], ['two', 1]])
    t.strictSame(await read(streams), [])
  })

  t.test('entries that were published before the group existed are handed out', async t => {
    await prepare(driver)
    await driver.add('a.stream', { name: 'value' })
    await streams.ensureGroup('a.stream', 'a-group')
    await streams.ensureGroup('a.stream', 'a-group')

    t.strictSame((await read(streams, { stream: 'a.stream', group: 'a-group' })).map(entry => entry.fields), [{
      name: 'value'
    }])
  })

  t.test('an entry that another program wrote is handed out', async t => {
    await prepare(driver)
    const { fields } = jobMessage('by-hand')
    const id = await driver.add(jobsStream, fields)

    t.strictSame(await read(streams, { stream: jobsStream, group: jobsGroup }), [{ id, fields, deliveries: 1 }])
  })

  t.test('a publication by another process wakes a waiting read', async t => {
    const connectionId = await prepare(driver)
    const another = await driver.openAnother()
    const waiting = read(streams, { blockMs: 10_000 })

    await another.publishEvent(event(connectionId, 'one'))

    t.strictSame((await waiting).map(entry => entry.fields.eventId), ['one'])
  })

  t.test('a read that waits in vain returns nothing', async t => {
    await prepare(driver)

    t.strictSame(await read(streams, { blockMs: 30 }), [])
  })

  t.test('a read whose signal aborts ends at once', async t => {
    await prepare(driver)
    const [controller, rest] = [new AbortController(), new AbortController()]
    let isOver = false
    const other = read(streams, { consumer: 'another', blockMs: 10_000, signal: rest.signal }).finally(() => {
      isOver = true
    })
    const waiting = read(streams, { blockMs: 10_000, signal: controller.signal })

    setImmediate(() => {
      controller.abort()
    })

    t.strictSame(await waiting, [])
    t.strictSame(await read(streams, { blockMs: 10_000, signal: controller.signal }), [])
    t.notOk(isOver, 'an earlier read still waits')
    rest.abort()
    t.strictSame(await other, [])
  })

  t.test('an aborted read loses no entry that was handed out to it', async t => {
    const connectionId = await prepare(driver)
    const seen: string[] = []
    for (let round = 0; round < 40; round++) {
      const controller = new AbortController()
      const waiting = read(streams, { blockMs: 10_000, signal: controller.signal })
      const published = streams.publishEvent(event(connectionId, `event-${round}`))
      if (round % 2 === 0) {
        published.then(() => {
          controller.abort()
        }, () => undefined)
      } else {
        setImmediate(() => {
          controller.abort()
        })
      }
      seen.push(...(await waiting).map(entry => entry.id))
      await published
    }

    t.strictSame(await driver.pending(inboundStream, inboundGroup), seen.toSorted(byId), 'the reader saw all of them')
    t.equal(seen.length + (await read(streams)).length, 40)
  })
}
