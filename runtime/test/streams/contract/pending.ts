import type { Test } from 'tap'
import { inboundGroup, inboundStream } from '../../../src/streams/port.ts'
import type { StreamDriver } from '../drivers.ts'
import { byId, claim, event, prepare, read } from './messages.ts'

/** Entries that were handed out and are not acknowledged. */
export function testPending (t: Test, driver: StreamDriver): void {
  const { streams } = driver

  t.test('entries that a dead consumer left are claimed once they are idle, and only once', async t => {
    const connectionId = await prepare(driver)
    await streams.publishEvent(event(connectionId, 'one'))
    const [entry] = await read(streams, { consumer: 'webhook-handler-1' })
    const id = entry?.id ?? ''

    t.strictSame(
      await read(streams, { consumer: 'webhook-handler-1' }),
      [],
      'a restarted process with the same id does not get its pending entries by reading'
    )
    await driver.makeIdle(inboundStream, inboundGroup, [id], 9_000)
    t.strictSame(await claim(streams), [])
    await driver.makeIdle(inboundStream, inboundGroup, [id], 10_001)

    t.strictSame(await claim(streams), [{ id, fields: event(connectionId, 'one').fields, deliveries: 2 }])
    t.strictSame(await claim(streams), [])
    await driver.makeIdle(inboundStream, inboundGroup, [id], 10_001)
    t.strictSame((await claim(streams)).map(({ deliveries }) => deliveries), [3])
  })

  t.test('repeated claims go through the whole pending list', async t => {
    const connectionId = await prepare(driver)
    await Promise
      .all(Array.from({ length: 250 }, (_, index) => streams.publishEvent(event(connectionId, `event-${index}`))))
    const ids = (await read(streams, { count: 250 })).map(entry => entry.id)
    await driver.makeIdle(inboundStream, inboundGroup, ids, 60_000)

    const steps: string[][] = []
    for (;;) {
      const claimed = await claim(streams, { count: 100 })
      if (claimed.length === 0) break
      steps.push(claimed.map(entry => entry.id))
    }

    t.strictSame(steps.map(step => step.length), [100, 100, 50])
    t.strictSame(steps.flat().toSorted(byId), ids.toSorted(byId))
  })

  t.test('an idle entry is found behind many entries that consumers are handling', async t => {
    const connectionId = await prepare(driver)
    await Promise
      .all(Array.from({ length: 150 }, (_, index) => streams.publishEvent(event(connectionId, `event-${index}`))))
    const last = (await read(streams, { count: 150 })).at(-1)?.id ?? ''
    await driver.makeIdle(inboundStream, inboundGroup, [last], 60_000)

    t.strictSame((await claim(streams, { count: 10 })).map(entry => entry.id), [last])
  })

  t.test('an acknowledged entry does not come back', async t => {
    const connectionId = await prepare(driver)
    await streams.publishEvent(event(connectionId, 'one'))
    await streams.publishEvent(event(connectionId, 'two'))
    const [one, two] = await read(streams)

    await streams.acknowledge(inboundStream, inboundGroup, [one?.id ?? ''])
    await streams.acknowledge(inboundStream, inboundGroup, [])

    t.strictSame(await driver.pending(inboundStream, inboundGroup), [two?.id])
    t.strictSame((await claim(streams, { minIdleMs: 0 })).map(entry => entry.id), [two?.id])
  })
}
