import { randomBytes, randomUUID } from 'node:crypto'
import t from 'tap'
import { createIgnoredEvents, type IgnoredEvent } from '../../src/events/ignored-events.ts'
import { listIgnored, type IgnoredFilter } from '../../src/events/store.ts'
import { jobIdOf } from '../../src/jobs/identity.ts'
import { openTableDriver } from '../streams/drivers.ts'

const driver = await openTableDriver()
t.teardown(driver.close)
const { query } = driver.database
const ignored = createIgnoredEvents(driver.database, 7)

async function prepare (): Promise<string> {
  await driver.clear()
  const connectionId = randomUUID()
  await driver.setVersion(connectionId, 1)
  return connectionId
}

function event (
  connectionId: string,
  eventId: string,
  payloadJson = '{}',
  reason: IgnoredEvent['reason'] = 'unknown event type'
): IgnoredEvent {
  return {
    message: {
      provider: 'shopa',
      connectionId,
      objectType: 'stock',
      externalId: '27',
      eventId,
      eventType: 'stock.chnaged',
      occurredAt: '2026-01-31T11:00:00Z',
      publishedAt: '2026-01-31T11:00:01.000Z'
    },
    reason,
    fields: { eventId, payloadJson }
  }
}

async function kept (): Promise<string[]> {
  const rows = await query<{ eventId: string }>('select event_id as "eventId" from ignored_events order by id')
  return rows.map(row => row.eventId)
}

t.test('an ignored event is kept with its whole message, once', async t => {
  const connectionId = await prepare()
  const text = JSON.stringify({ 'a NUL': '\u0000' })

  await Promise.all([ignored.keep(event(connectionId, 'one', text)), ignored.keep(event(connectionId, 'one', text))])
  await ignored.keep(event(connectionId, 'one', '"another"'))

  const rows =
    await query('select connection_id as "connectionId", event_type as "eventType", message from ignored_events')
  t.strictSame(rows, [{
    connectionId,
    eventType: 'stock.chnaged',
    message: JSON.stringify({ eventId: 'one', payloadJson: text })
  }])
})

t.test('an event of a connection that does not exist is not kept, and does the others no harm', async t => {
  const connectionId = await prepare()

  await Promise.all([ignored.keep(event(randomUUID(), 'nobody')), ignored.keep(event(connectionId, 'one'))])

  t.strictSame(await kept(), ['one'])
})

t.test('the newest mebibyte of each connection is kept', async t => {
  const [chatty, quiet] = [await prepare(), randomUUID()]
  await driver.setVersion(quiet, 1)
  await ignored.keep(event(quiet, 'quiet'))

  for (let index = 0; index < 8; index++) await ignored.keep(event(chatty, `event-${index}`, 'x'.repeat(250_000)))

  t.strictSame(await kept(), ['quiet', 'event-4', 'event-5', 'event-6', 'event-7'])
})

t.test('when many large events come at once, the newest of each connection are kept', async t => {
  const [chatty, quiet] = [await prepare(), randomUUID()]
  await driver.setVersion(quiet, 1)

  await Promise.all([
    ignored.keep(event(quiet, 'quiet')),
    ...Array.from({ length: 130 }, (_, index) => ignored.keep(event(chatty, `event-${index}`, '"'.repeat(120_000))))
  ])

  t.strictSame(await kept(), ['quiet', 'event-126', 'event-127', 'event-128', 'event-129'])
})

t.test('removed events free their space in an embedded database', async t => {
  const connectionId = await prepare()
  const size = async (): Promise<number> =>
    (await query<{ bytes: number }>("select pg_total_relation_size('ignored_events')::float8 as bytes"))[0]?.bytes ??
      Number.NaN
  const payload = (): string => randomBytes(100_000).toString('base64')
  const fill = async (): Promise<void> => {
    for (let index = 0; index < 200; index++) await ignored.keep(event(connectionId, randomUUID(), payload()))
  }
  await fill()
  const once = await size()

  await fill()
  await fill()

  t.ok(await size() < 1.5 * once, `${once} bytes, then ${await size()}`)
})

t.test('the first event of each process vacuums the embedded table: nobody knows what earlier ones left', async t => {
  const connectionId = await prepare()
  let vacuums = 0
  const startProcess = () =>
    createIgnoredEvents({
      ...driver.database,
      query (text, values) {
        if (text.startsWith('vacuum')) vacuums += 1
        return query(text, values)
      }
    }, 7)
  const [first, second] = [startProcess(), startProcess()]

  await first.keep(event(connectionId, 'one'))
  t.equal(vacuums, 1)
  await first.keep(event(connectionId, 'two'))
  t.equal(vacuums, 1)
  await second.keep(event(connectionId, 'three'))
  t.equal(vacuums, 2)
})

t.test('an event that its adapter does not want is not kept', async t => {
  const connectionId = await prepare()
  await ignored.keep(event(connectionId, 'unwanted', '{}', 'unwanted event type'))
  await ignored.keep(event(connectionId, 'unknown'))

  t.strictSame(await kept(), ['unknown'])
})

t.test('the text of an ignored event is removed after the days that are set, the event after fourteen', async t => {
  const connectionId = await prepare()
  for (const eventId of ['oldest', 'older', 'old', 'young']) await ignored.keep(event(connectionId, eventId))
  await query("update ignored_events set ignored_at = now() - interval '14 days 1 minute' where event_id = 'oldest'")
  await query("update ignored_events set ignored_at = now() - interval '13 days 23 hours' where event_id = 'older'")
  await query("update ignored_events set ignored_at = now() - interval '7 days 1 minute' where event_id = 'old'")
  await query("update ignored_events set ignored_at = now() - interval '6 days 23 hours' where event_id = 'young'")

  await ignored.removeOld()

  t.strictSame(await query('select event_id, message is null as "isRemoved" from ignored_events order by id'), [
    { event_id: 'older', isRemoved: true },
    { event_id: 'old', isRemoved: true },
    { event_id: 'young', isRemoved: false }
  ])
  t.equal((await listIgnored(query, { connectionId, limit: 3 })).length, 3, 'the log still has them')
})

t.test('ignored events are listed newest first, by what is asked of them', async t => {
  const [one, two] = [await prepare(), randomUUID()]
  await driver.setVersion(two, 1)
  for (const eventId of ['a', 'b', 'c']) await ignored.keep(event(one, eventId))
  await ignored.keep(event(two, 'd'))
  await query(`
    update ignored_events set ignored_at = '2026-01-31T12:00:00Z'::timestamptz + interval '1 second' * id.place
    from (select id, row_number() over (order by id) as place from ignored_events) as id
    where id.id = ignored_events.id
  `)
  const listed = async (filter: Partial<IgnoredFilter>) =>
    (await listIgnored(query, { limit: 10, ...filter })).map(({ event }) => event.eventId)

  t.strictSame(await listed({}), ['d', 'c', 'b', 'a'])
  t.strictSame(await listed({ connectionId: one, limit: 2 }), ['c', 'b'])
  t.strictSame(await listed({ provider: 'mktb' }), [])
  t.strictSame(await listed({ eventType: 'stock.chnaged', since: '2026-01-31T12:00:03.000Z' }), ['d', 'c'])
  t.strictSame(await listed({ until: '2026-01-31T12:00:02.000Z' }), ['a'])
  const deliveryId = jobIdOf(`webhook:shopa:${one}:b`)
  t.strictSame(await listed({ deliveryIds: [deliveryId] }), ['b'])
  t.strictSame(await listed({ after: { createdAt: '2026-01-31T12:00:02.000Z', id: deliveryId } }), ['a'])
  t.strictSame(await listIgnored(query, { deliveryIds: [deliveryId], limit: 1 }), [{
    deliveryId,
    reason: 'unknown event type',
    event: event(one, 'b').message,
    createdAt: '2026-01-31T12:00:02.000Z'
  }])
})
