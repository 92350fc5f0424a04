import type { Test } from 'tap'
import {
  inboundGroup,
  inboundStream,
  jobMarkerKey,
  jobsStream,
  markerTtlSeconds,
  type Entry
} from '../../../src/streams/port.ts'
import type { StreamDriver } from '../drivers.ts'
import { event, jobMessage, prepare, read } from './messages.ts'

/** Writing a job message: once per key. */
export function testEnqueuing (t: Test, driver: StreamDriver): void {
  const { streams } = driver

  t.test('100 racing enqueues of one key from two processes are one job, and all get its id', async t => {
    await prepare(driver)
    const another = await driver.openAnother()

    const answers = await Promise
      .all(Array.from(
        { length: 100 },
        (_, index) => (index % 2 === 0 ? streams : another).enqueueJob(jobMessage('the-key'))
      ))

    const entries = await driver.entries(jobsStream)
    t.equal(entries.length, 1)
    t.equal(answers.filter(answer => answer.isNew).length, 1)
    t.strictSame([...new Set(answers.map(answer => answer.id))], [entries[0]?.id])
    t.strictSame(Object.keys(entries[0]?.fields ?? {}), [
      'jobType',
      'connectionId',
      'payloadJson',
      'idempotencyKey',
      'createdAt'
    ])
    t.equal(await driver.markerTtlSeconds(jobsStream, jobMarkerKey('the-key')), markerTtlSeconds)
  })

  t.test('a job whose marker expired is enqueued again', async t => {
    await prepare(driver)
    const first = await streams.enqueueJob(jobMessage('the-key'))
    await driver.expireMarker(jobsStream, jobMarkerKey('the-key'))

    const second = await streams.enqueueJob(jobMessage('the-key'))

    t.ok(second.isNew)
    t.not(second.id, first.id)
    t.strictSame(await streams.enqueueJob(jobMessage('the-key')), { isNew: false, id: second.id })
  })

  t.test('an enqueue of a new or a known key acknowledges its source in the same step', async t => {
    const connectionId = await prepare(driver)
    await Promise.all(['one', 'two', 'three'].map(id => streams.publishEvent(event(connectionId, id))))
    const [one, two, three] = await read(streams)
    const source = (entry: Entry | undefined) => ({ stream: inboundStream, group: inboundGroup, id: entry?.id ?? '' })

    const [first, second] = await Promise.all([
      streams.enqueueJob(jobMessage('a'), source(one)),
      streams.enqueueJob(jobMessage('a'), source(two))
    ])

    t.strictSame(second, { isNew: false, id: first?.id })
    t.strictSame(await driver.pending(inboundStream, inboundGroup), [three?.id])
    await driver.expireMarker(jobsStream, jobMarkerKey('a'))
    t.ok((await streams.enqueueJob(jobMessage('a'), source(three))).isNew)
    t.strictSame(await driver.pending(inboundStream, inboundGroup), [])
    t.equal(await streams.length(jobsStream), 2)
  })
}
