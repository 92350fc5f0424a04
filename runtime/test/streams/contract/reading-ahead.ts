import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { inboundGroup, inboundStream, jobsGroup, jobsStream, type Entry } from '../../../src/streams/port.ts'
import type { StreamDriver } from '../drivers.ts'
import { ahead, events, jobMessage, of, prepare, publishInOrder, read } from './messages.ts'

/** Looking for entries behind a backlog. */
export function testReadingAhead (t: Test, driver: StreamDriver): void {
  const { streams } = driver

  t.test('a look finds entries of connections that are not at the head once, the rarest first', async t => {
    const chatty = await prepare(driver)
    const [pair, many] = [randomUUID(), randomUUID()]
    for (const id of [pair, many]) await driver.setVersion(id, 1)
    await publishInOrder(streams, events(chatty, 200), events(many, 300), events(pair, 2), events(chatty, 100, 'later'))

    const found: Entry[] = []
    for (;;) {
      const { entries, isEnd } = await ahead(streams)
      found.push(...entries)
      if (isEnd) break
    }

    t.strictSame(found.filter(entry => of(pair, entry)).map(entry => entry.fields.eventId), ['event-0', 'event-1'])
    t.equal(
      found.filter(entry => of(many, entry)).length,
      198,
      'a connection with many entries gets the room that is left'
    )
    t.equal(found.length, 200, 'the connection at the head gets none')
    t.strictSame(
      (await ahead(streams)).entries.filter(entry => of(pair, entry)),
      [],
      'the next look continues there'
    )
  })

  t.test('entries that the head served at the time of the look are found once the head is another', async t => {
    const chatty = await prepare(driver)
    const other = randomUUID()
    await driver.setVersion(other, 1)
    await publishInOrder(streams, events(other, 20), events(chatty, 200), events(other, 3, 'later'))
    t.strictSame((await ahead(streams)).entries, [])
    await streams.acknowledge(inboundStream, inboundGroup, (await read(streams, { count: 20 })).map(entry => entry.id))

    const found: Entry[] = []
    const end = AbortSignal.timeout(60_000)
    while (found.length === 0) {
      end.throwIfAborted()
      await new Promise(resolve => {
        setTimeout(resolve, 100)
      })
      found.push(...(await ahead(streams)).entries)
    }

    t.strictSame(found.map(entry => entry.fields.eventId), ['later-0', 'later-1', 'later-2'])
  })

  t.test('no entry from behind a backlog is lost: each one is handed out in the end, also new ones', async t => {
    const chatty = await prepare(driver)
    const quiet = randomUUID()
    await driver.setVersion(quiet, 1)
    await publishInOrder(streams, events(chatty, 150), events(quiet, 1))
    const [first] = (await ahead(streams)).entries
    t.equal(first?.fields.eventId, 'event-0')
    await publishInOrder(streams, events(quiet, 1, 'new'))

    const { entries, isEnd } = await ahead(streams)

    t.strictSame(entries.map(entry => entry.fields.eventId), ['new-0'])
    t.ok(isEnd)
    const handedOut = [...entries, first].filter(entry => entry !== undefined && entry.deliveries > 0).length
    t.equal((await read(streams, { count: 1_000 })).length + handedOut, 152)
  })

  t.test('job messages are found behind a backlog, and malformed entries do no harm', async t => {
    await prepare(driver)
    const connectionId = randomUUID()
    for (let index = 0; index < 120; index++) {
      const message = jobMessage(`chatty-${index}`)
      await streams.enqueueJob({ ...message, fields: { ...message.fields, connectionId } })
    }
    await driver.add(jobsStream, { text: 'not a job' })
    await streams.enqueueJob(jobMessage('quiet'))

    const { entries, isEnd } = await ahead(streams, jobsStream, jobsGroup)

    t.strictSame(entries.map(entry => entry.fields.idempotencyKey ?? entry.fields.text).toSorted(), [
      'not a job',
      'quiet'
    ])
    t.ok(isEnd)
    t.strictSame((await ahead(streams, jobsStream, jobsGroup)).isEnd, true)
  })
}
