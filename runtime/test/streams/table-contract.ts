import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import {
  deadStreamOf,
  eventKey,
  inboundGroup,
  inboundStream,
  jobMarkerKey,
  jobsStream
} from '../../src/streams/port.ts'
import { createTableStreams } from '../../src/streams/postgres.ts'
import * as statements from '../../src/streams/statements.ts'
import { event, events, jobMessage, read } from './contract/messages.ts'
import { silentLog, type TableDriver } from './drivers.ts'

/** Tests the behaviour that only the streams on tables have. */
export function testTables (t: Test, driver: TableDriver): void {
  const { streams, database } = driver

  async function prepare (): Promise<string> {
    await driver.clear()
    const connectionId = randomUUID()
    await driver.setVersion(connectionId, 1)
    return connectionId
  }

  /**
   * Publishes while another transaction holds the same key, and returns when that transaction has
   * ended.
   */
  async function publishBesideRival (
    connectionId: string,
    end: 'commit' | 'rollback'
  ): Promise<{ wasSettled: boolean, result: string }> {
    const rollback = new Error('rolled back on purpose')
    let isSettled = false
    let wasSettled = false
    let result: Promise<string> = Promise.resolve('not published')
    await database.transaction(async ({ query }) => {
      await query('insert into stream_messages (stream, key, fields) values ($1, $2, $3)', [
        inboundStream,
        eventKey(event(connectionId, 'one')),
        '{"eventId":"one"}'
      ])
      result = streams.publishEvent(event(connectionId, 'one')).finally(() => {
        isSettled = true
      })
      for (let look = 0; look < 20; look++) await query('select 1')
      wasSettled = isSettled
      if (end === 'rollback') throw rollback
    }).catch((error: unknown) => {
      if (error !== rollback) throw error
    })
    return { wasSettled, result: await result }
  }

  t.test('a publication waits for a copy of another process: it is a duplicate when the copy is committed', async t => {
    const connectionId = await prepare()

    t.strictSame(await publishBesideRival(connectionId, 'commit'), { wasSettled: false, result: 'duplicate' })
    t.equal(await streams.length(inboundStream), 1)
  })

  t.test('a publication waits for a copy of another process: it succeeds when the copy is rolled back', async t => {
    const connectionId = await prepare()

    t.strictSame(await publishBesideRival(connectionId, 'rollback'), { wasSettled: false, result: 'published' })
    t.equal(await streams.length(inboundStream), 1)
  })

  t.test('a publication that the database refuses leaves nothing behind, and a repeat succeeds', async t => {
    const connectionId = await prepare()
    await database.query(`alter table stream_messages add constraint refused check (stream <> '${inboundStream}')`)

    await t.rejects(streams.publishEvent(event(connectionId, 'one')), /refused/)

    await database.query('alter table stream_messages drop constraint refused')
    t.equal(await streams.length(inboundStream), 0)
    t.equal(await streams.publishEvent(event(connectionId, 'one')), 'published')
  })

  t.test('few lists are stored at the same time, however many arrive', async t => {
    const connectionId = await prepare()
    let running = 0
    let mostRunning = 0
    const limited = createTableStreams({
      database: {
        ...database,
        async publish (text, values) {
          running += 1
          mostRunning = Math.max(mostRunning, running)
          return database.publish(text, values).finally(() => {
            running -= 1
          }) as never
        }
      },
      log: silentLog
    })

    await Promise
      .all(Array.from({ length: 20 }, (_, index) => limited.publishEvents(events(connectionId, 3, `list-${index}`))))

    t.equal(mostRunning, database.mode === 'embedded' ? 1 : 3)
    t.equal(await streams.length(inboundStream), 60)
  })

  t.test('an event that breaks its statement fails alone', async t => {
    const connectionId = await prepare()

    const results = await Promise
      .allSettled(['one', 'nul\u0000', 'two'].map(id => streams.publishEvent(event(connectionId, id))))

    t.strictSame(results.map(result => result.status), ['fulfilled', 'rejected', 'fulfilled'])
    t.strictSame((await driver.entries(inboundStream)).map(entry => entry.fields.eventId), ['one', 'two'])
  })

  t.test('a job that breaks its statement fails alone', async t => {
    await prepare()

    const results = await Promise
      .allSettled(['one', 'nul\u0000', 'two'].map(key => streams.enqueueJob(jobMessage(key))))

    t.strictSame(results.map(result => result.status), ['fulfilled', 'rejected', 'fulfilled'])
  })

  t.test('a crash between the two statements that renew an expired job loses nothing', async t => {
    const connectionId = await prepare()
    await streams.enqueueJob(jobMessage('the-key'))
    await driver.expireMarker(jobsStream, jobMarkerKey('the-key'))
    await streams.publishEvent(event(connectionId, 'one'))
    const [entry] = await read(streams)
    const source = { stream: inboundStream, group: inboundGroup, id: entry?.id ?? '' }
    const crashing = createTableStreams({
      database: {
        ...database,
        query: (text, values) =>
          text === statements.releaseExpiredKeys ? Promise.reject(new Error('crashed')) : database.query(text, values)
      },
      log: silentLog
    })

    await t.rejects(crashing.enqueueJob(jobMessage('the-key'), source), /crashed/)

    t.strictSame(await driver.pending(inboundStream, inboundGroup), [entry?.id])
    t.ok((await streams.enqueueJob(jobMessage('the-key'), source)).isNew)
    t.strictSame(await driver.pending(inboundStream, inboundGroup), [])
  })

  t.test('an entry whose id becomes visible late is handed out after entries with higher ids', async t => {
    const connectionId = await prepare()
    await database.query('insert into stream_messages (id, stream, fields) values (9000000, $1, $2)', [
      inboundStream,
      '{"eventId":"high"}'
    ])
    t.equal((await read(streams)).length, 1)

    await streams.publishEvent(event(connectionId, 'low'))

    t.strictSame((await read(streams)).map(entry => entry.fields.eventId), ['low'])
  })

  t.test('a message cannot forge where its dead entry comes from', async t => {
    await prepare()
    const id = await driver.add(inboundStream, { sourceId: '0', reason: 'forged' })
    await read(streams)

    await streams.deadLetter({ stream: inboundStream, group: inboundGroup, id, reason: 'true', deliveries: 1 })

    const [entry] = await driver.entries(deadStreamOf(inboundStream))
    t.strictSame(entry?.fields, { sourceStream: inboundStream, sourceId: id, reason: 'true', deliveries: '1' })
  })

  t.test('a second group on one stream is refused', async t => {
    await streams.ensureGroup('a.table', 'first')

    await t.rejects(streams.ensureGroup('a.table', 'second'), /'a.table' is read by group 'first'/)
  })

  t.test('one maintenance removes all expired rows, however many they are', async t => {
    await prepare()
    await database
      .query("insert into stream_messages (stream, fields, acked_at, expires_at) select 'a.stream', '{}', now(), " +
        'now() from generate_series(1, 2500)')

    await streams.maintain()

    t.equal(await streams.length('a.stream'), 0)
  })
}
