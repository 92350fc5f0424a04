import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import {
  deadStreamOf,
  eventKey,
  inboundGroup,
  inboundStream,
  jobMarkerKey,
  jobsGroup,
  jobsStream,
  markerTtlSeconds,
  type Entry,
  type InboundEvent,
  type JobMessage,
  type StreamPort
} from '../../src/streams/port.ts'
import type { StreamDriver } from './drivers.ts'

const neverAborted = new AbortController().signal

export function event (connectionId: string, eventId: string): InboundEvent {
  return {
    provider: 'shopa',
    connectionId,
    eventId,
    epoch: 1,
    fields: {
      eventId,
      eventType: 'inbound.webhook.stock.changed',
      payloadJson: '{"objectType":"stock","externalId":"27","payload":null}',
      metadataJson: JSON.stringify({ schemaVersion: 1, provider: 'shopa', connectionId }),
      occurredAt: '2025-01-01T12:00:31+01:00',
      publishedAt: '2025-01-01T11:00:32.000Z'
    }
  }
}

export function jobMessage (idempotencyKey: string): JobMessage {
  return {
    idempotencyKey,
    fields: {
      jobType: 'master.product.syncByExternalId',
      connectionId: randomUUID(),
      payloadJson: '{"externalId":"27"}',
      idempotencyKey,
      createdAt: '2025-01-01T11:00:32.000Z'
    }
  }
}

export function read (
  streams: StreamPort,
  {
    stream = inboundStream,
    group = inboundGroup,
    consumer = 'reader',
    count = 100,
    blockMs = 0,
    signal = neverAborted
  } = {}
): Promise<Entry[]> {
  return streams.read({ stream, group, consumer, count, blockMs, signal })
}

function ahead (
  streams: StreamPort,
  stream = inboundStream,
  group = inboundGroup
): Promise<{ entries: Entry[], isEnd: boolean }> {
  return streams.readAhead({ stream, group, consumer: 'reader' })
}

function events (connectionId: string, count: number, name = 'event'): InboundEvent[] {
  return Array.from({ length: count }, (_, index) => event(connectionId, `${name}-${index}`))
}

function of (connectionId: string, { fields }: Entry): boolean {
  return fields.metadataJson?.includes(connectionId) === true
}

export function claim (
  streams: StreamPort,
  { stream = inboundStream, group = inboundGroup, consumer = 'claimer', count = 100, minIdleMs = 10_000 } = {}
): Promise<Entry[]> {
  return streams.claimIdle({ stream, group, consumer, count, minIdleMs })
}

/**
 * Tests the behaviour that every driver of the stream port has. Each test starts with an empty
 * server.
 */
export function testStreamContract (t: Test, driver: StreamDriver): void {
  const { streams } = driver

  async function prepare (): Promise<string> {
    await driver.clear()
    await streams.ensureGroup(inboundStream, inboundGroup)
    await streams.ensureGroup(jobsStream, jobsGroup)
    const connectionId = randomUUID()
    await driver.setVersion(connectionId, 1)
    return connectionId
  }

  /** Publishes one group after the other. Within a group several statements may run at once. */
  async function publishInOrder (...groups: InboundEvent[][]): Promise<void> {
    for (const group of groups) await Promise.all(group.map(streams.publishEvent))
  }

  t.test('a fresh event is published with exactly its fields, in order, and its marker lives seven days', async t => {
    const connectionId = await prepare()

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
    const connectionId = await prepare()
    await streams.publishEvent(event(connectionId, 'one'))

    t.equal(await streams.publishEvent(event(connectionId, 'one')), 'duplicate')

    t.equal(await streams.length(inboundStream), 1)
  })

  t.test('an event whose marker expired is published again, and the first entry is still handed out', async t => {
    const connectionId = await prepare()
    await streams.publishEvent(event(connectionId, 'one'))
    await driver.expireMarker(inboundStream, eventKey(event(connectionId, 'one')))

    t.equal(await streams.publishEvent(event(connectionId, 'one')), 'published')

    t.equal(await streams.publishEvent(event(connectionId, 'one')), 'duplicate')
    t.equal(await driver.markerTtlSeconds(inboundStream, eventKey(event(connectionId, 'one'))), markerTtlSeconds)
    t.equal((await read(streams)).length, 2)
  })

  t.test('the same event id on two connections is two events', async t => {
    const connectionId = await prepare()
    const other = randomUUID()
    await driver.setVersion(other, 1)

    const results = await Promise.all([
      streams.publishEvent(event(connectionId, 'one')),
      streams.publishEvent(event(other, 'one'))
    ])

    t.strictSame(results, ['published', 'published'])
    t.equal(await streams.length(inboundStream), 2)
  })

  t.test('1 000 copies at once from two processes are one entry', async t => {
    const connectionId = await prepare()
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
    const connectionId = await prepare()
    const another = await driver.openAnother()
    const events = Array.from({ length: 500 }, (_, index) => event(connectionId, `event-${index}`))

    const results = await Promise.all([
      ...events.map(streams.publishEvent),
      ...events.toReversed().map(another.publishEvent)
    ])

    t.equal(results.filter(result => result === 'published').length, 500)
    t.equal(await streams.length(inboundStream), 500)
  })

  t.test('events published one turn after the other keep their order', async t => {
    const connectionId = await prepare()
    const ids = Array.from({ length: 50 }, (_, index) => `event-${99 - index}`)

    await Promise.all(ids.map(id => streams.publishEvent(event(connectionId, id))))

    t.strictSame((await read(streams)).map(entry => entry.fields.eventId), ids)
  })

  t.test('an event checked against another version of its connection is stale and leaves nothing', async t => {
    const connectionId = await prepare()
    await driver.setVersion(connectionId, 3)
    const stale = { ...event(connectionId, 'one'), epoch: 2 }

    t.equal(await streams.publishEvent(stale), 'stale')

    t.equal(await streams.length(inboundStream), 0)
    t.equal(await driver.markerTtlSeconds(inboundStream, eventKey(stale)), undefined)
    t.equal(await streams.publishEvent({ ...stale, epoch: 3 }), 'published')
    t.equal(await streams.publishEvent(stale), 'stale', 'also when the event is a duplicate')
  })

  t.test('an event of a connection that nobody knows is stale', async t => {
    await prepare()

    t.equal(await streams.publishEvent(event(randomUUID(), 'one')), 'stale')
    t.equal(await streams.publishEvent(event('not-a-uuid', 'one')), 'stale')
    t.equal(await streams.length(inboundStream), 0)
  })

  t.test('a process that sets an older version changes nothing', async t => {
    const connectionId = await prepare()
    await driver.setVersion(connectionId, 5)

    await streams.setEpoch(connectionId, 4)

    t.equal(await streams.publishEvent({ ...event(connectionId, 'one'), epoch: 4 }), 'stale')
    t.equal(await streams.publishEvent({ ...event(connectionId, 'one'), epoch: 5 }), 'published')
  })

  t.test('every character survives', async t => {
    const connectionId = await prepare()
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

  t.test('an entry is handed out once, with the number of its delivery', async t => {
    const connectionId = await prepare()
    await streams.publishEvent(event(connectionId, 'one'))
    await streams.publishEvent(event(connectionId, 'two'))

    const first = await read(streams, { count: 1 })
    const second = await read(streams, { consumer: 'another' })

    t.strictSame([...first, ...second].map(entry => [entry.fields.eventId, entry.deliveries]), [['one', 1], ['two', 1]])
    t.strictSame(await read(streams), [])
  })

  t.test('what was published before the group existed is handed out', async t => {
    await prepare()
    await driver.add('a.stream', { name: 'value' })
    await streams.ensureGroup('a.stream', 'a-group')
    await streams.ensureGroup('a.stream', 'a-group')

    t.strictSame((await read(streams, { stream: 'a.stream', group: 'a-group' })).map(entry => entry.fields), [{
      name: 'value'
    }])
  })

  t.test('an entry that a stranger wrote is handed out', async t => {
    await prepare()
    const { fields } = jobMessage('by-hand')
    const id = await driver.add(jobsStream, fields)

    t.strictSame(await read(streams, { stream: jobsStream, group: jobsGroup }), [{ id, fields, deliveries: 1 }])
  })

  t.test('entries of connections that are not at the head of a backlog are found once, the rarest first', async t => {
    const chatty = await prepare()
    const [pair, many] = [randomUUID(), randomUUID()]
    for (const id of [pair, many]) await driver.setVersion(id, 1)
    await publishInOrder(events(chatty, 200), events(many, 300), events(pair, 2), events(chatty, 100, 'later'))

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
      'of one that came with many, as many as there is room for'
    )
    t.equal(found.length, 200, 'none of the one whose entries are next anyway')
    t.strictSame(
      (await ahead(streams)).entries.filter(entry => of(pair, entry)),
      [],
      'the next look goes on from there'
    )
  })

  t.test('what the head served at the time of the look is found once the head is another', async t => {
    const chatty = await prepare()
    const other = randomUUID()
    await driver.setVersion(other, 1)
    await publishInOrder(events(other, 20), events(chatty, 200), events(other, 3, 'later'))
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

  t.test('no entry from behind a backlog is lost: each is handed out in the end, new ones too', async t => {
    const chatty = await prepare()
    const quiet = randomUUID()
    await driver.setVersion(quiet, 1)
    await publishInOrder(events(chatty, 150), events(quiet, 1))
    const [first] = (await ahead(streams)).entries
    t.equal(first?.fields.eventId, 'event-0')
    await publishInOrder(events(quiet, 1, 'new'))

    const { entries, isEnd } = await ahead(streams)

    t.strictSame(entries.map(entry => entry.fields.eventId), ['new-0'])
    t.ok(isEnd)
    const handedOut = [...entries, first].filter(entry => entry !== undefined && entry.deliveries > 0).length
    t.equal((await read(streams, { count: 1_000 })).length + handedOut, 152)
  })

  t.test('job messages are found behind a backlog, and what is no message of a connection does no harm', async t => {
    await prepare()
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

  t.test('a read that waits is woken by a publication of another process', async t => {
    const connectionId = await prepare()
    const another = await driver.openAnother()
    const waiting = read(streams, { blockMs: 10_000 })

    await another.publishEvent(event(connectionId, 'one'))

    t.strictSame((await waiting).map(entry => entry.fields.eventId), ['one'])
  })

  t.test('a read that waits in vain ends with nothing', async t => {
    await prepare()

    t.strictSame(await read(streams, { blockMs: 30 }), [])
  })

  t.test('a read whose signal aborts ends at once', async t => {
    await prepare()
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
    t.notOk(isOver, 'another that began before it still waits')
    rest.abort()
    t.strictSame(await other, [])
  })

  t.test('an aborted read loses nothing that was handed out to it', async t => {
    const connectionId = await prepare()
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

    t.strictSame(await driver.pending(inboundStream, inboundGroup), seen.toSorted(byId), 'what is pending was seen')
    t.equal(seen.length + (await read(streams)).length, 40)
  })

  t.test('what a dead consumer left is claimed once it is idle, and only once', async t => {
    const connectionId = await prepare()
    await streams.publishEvent(event(connectionId, 'one'))
    const [entry] = await read(streams, { consumer: 'webhook-handler-1' })
    const id = entry?.id ?? ''

    t.strictSame(
      await read(streams, { consumer: 'webhook-handler-1' }),
      [],
      'a restarted process with the same id does not get it by reading'
    )
    await driver.makeIdle(inboundStream, inboundGroup, [id], 9_000)
    t.strictSame(await claim(streams), [])
    await driver.makeIdle(inboundStream, inboundGroup, [id], 10_001)

    t.strictSame(await claim(streams), [{ id, fields: event(connectionId, 'one').fields, deliveries: 2 }])
    t.strictSame(await claim(streams), [])
    await driver.makeIdle(inboundStream, inboundGroup, [id], 10_001)
    t.strictSame((await claim(streams)).map(({ deliveries }) => deliveries), [3])
  })

  t.test('claiming goes through everything pending, in steps', async t => {
    const connectionId = await prepare()
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

  t.test('an idle entry is found behind many that are in work', async t => {
    const connectionId = await prepare()
    await Promise
      .all(Array.from({ length: 150 }, (_, index) => streams.publishEvent(event(connectionId, `event-${index}`))))
    const last = (await read(streams, { count: 150 })).at(-1)?.id ?? ''
    await driver.makeIdle(inboundStream, inboundGroup, [last], 60_000)

    t.strictSame((await claim(streams, { count: 10 })).map(entry => entry.id), [last])
  })

  t.test('an acknowledged entry does not come back', async t => {
    const connectionId = await prepare()
    await streams.publishEvent(event(connectionId, 'one'))
    await streams.publishEvent(event(connectionId, 'two'))
    const [one, two] = await read(streams)

    await streams.acknowledge(inboundStream, inboundGroup, [one?.id ?? ''])
    await streams.acknowledge(inboundStream, inboundGroup, [])

    t.strictSame(await driver.pending(inboundStream, inboundGroup), [two?.id])
    t.strictSame((await claim(streams, { minIdleMs: 0 })).map(entry => entry.id), [two?.id])
  })

  t.test('100 racing enqueues of one key from two processes are one job, and all get its id', async t => {
    await prepare()
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
    await prepare()
    const first = await streams.enqueueJob(jobMessage('the-key'))
    await driver.expireMarker(jobsStream, jobMarkerKey('the-key'))

    const second = await streams.enqueueJob(jobMessage('the-key'))

    t.ok(second.isNew)
    t.not(second.id, first.id)
    t.strictSame(await streams.enqueueJob(jobMessage('the-key')), { isNew: false, id: second.id })
  })

  t.test('an enqueue acknowledges its source in the same step, new or known', async t => {
    const connectionId = await prepare()
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

  t.test('a dead entry stands in the dead stream with its origin and reason, once, and is acknowledged', async t => {
    await prepare()
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
  })

  t.test('maintenance removes what is acknowledged and older than its marker, and nothing else', async t => {
    const connectionId = await prepare()
    const old: string[] = []
    for (let index = 0; index < 5; index++) old.push(await driver.add(inboundStream, { index: String(index) }, true))
    await streams.publishEvent(event(connectionId, 'young'))
    const entries = await read(streams, { count: 4 })
    await streams.acknowledge(inboundStream, inboundGroup, entries.slice(0, 2).map(entry => entry.id))

    await streams.maintain()

    t.strictSame(
      (await driver.entries(inboundStream)).map(entry => entry.id).slice(0, 3),
      old.slice(2),
      'pending and undelivered ones stay'
    )
    await streams.acknowledge(inboundStream, inboundGroup, (await read(streams)).map(entry => entry.id))
    await streams.acknowledge(inboundStream, inboundGroup, entries.map(entry => entry.id))
    await streams.maintain()
    t.strictSame(
      (await driver.entries(inboundStream)).map(entry => entry.fields.eventId),
      ['young'],
      'a young one stays though it is acknowledged'
    )
    t.equal(await streams.publishEvent(event(connectionId, 'young')), 'duplicate')
  })

  t.test('an answering server is healthy', async t => {
    await t.resolves(streams.ping())
  })
}

function byId (a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}
