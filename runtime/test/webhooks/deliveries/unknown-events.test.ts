import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { LoadedAdapter } from '../../../src/adapters/load.ts'
import { createIgnoredEvents } from '../../../src/events/ignored-events.ts'
import { unmappedType, unwantedType } from '../../../src/events/unmapped-topics.ts'
import {
  adviseOnUnknown,
  countUnknownEvents,
  needPerson,
  readUnknownEvents,
  replayEndOf,
  type UnknownEvents
} from '../../../src/webhooks/deliveries/unknown-events.ts'
import { openTableDriver } from '../../streams/drivers.ts'

const id = randomUUID()
const connection = {
  id,
  name: 'My shop',
  platformType: 'feedshop',
  webhookRules: null,
  webhookEvents: { 'stock.moved': 'feedshop.stock.sync' },
  adapterKey: 'feedshop.api.v1',
  adapterVersion: '1.0.0'
}
const hourOf = (hour: number): string => `2026-01-31T${String(hour).padStart(2, '0')}:00:00.000Z`
const event = (eventType: string, hour: number) => ({
  connectionId: id,
  eventType,
  deliveryId: String(hour),
  at: hourOf(hour)
})

/** Versions with the events that they declare, newest first. */
function optionsWith (declared: Readonly<Record<string, readonly string[]>> = {}) {
  const loaded = Object.entries(declared).map(([version, types]): LoadedAdapter => {
    const events = Object.fromEntries(types.map(type => [type, 'feedshop.stock.sync']))
    return { version, description: { config: {}, webhooks: { scheme: 'hmac', events } } } as unknown as LoadedAdapter
  })
  return {
    registry: { find: () => undefined, versions: () => loaded },
    eventJobsOf: ({ webhookEvents }: { webhookEvents?: Readonly<Record<string, string>> | null | undefined }) =>
      new Map(Object.entries(webhookEvents ?? {})),
    keptDays: 7
  }
}

const events = (more: Partial<UnknownEvents> = {}): UnknownEvents => ({
  eventType: 'price.changed',
  count: 1,
  firstAt: hourOf(1),
  lastAt: hourOf(2),
  lastDeliveryId: '2',
  replayableUntil: '2026-02-07T01:00:00.000Z',
  isKnown: false,
  newVersion: null,
  ...more
})

t.test('events that the adapter does not want by now need nobody', async t => {
  const source = { topic: { header: 'x' }, externalId: { body: '/id' }, eventTypes: { carts: null } }
  const newestFirst = [event(unmappedType('carts'), 2), event(unmappedType('users'), 1)]

  t.match(countUnknownEvents(newestFirst, { ...connection, webhookRules: { source } }, optionsWith()), [
    { eventType: unmappedType('users'), count: 1 }
  ])
})

t.test('unwanted events that an older process kept during an upgrade need nobody', async t => {
  const newestFirst = [event(unwantedType('carts'), 2), event('unwanted.carts', 1)]

  t.match(countUnknownEvents(newestFirst, connection, optionsWith()), [{ eventType: 'unwanted.carts', count: 1 }])
})

t.test('events are counted by their types, those with the most events first', async t => {
  const newestFirst = [event('b', 5), event('a', 4), event('b', 3), event('a', 2), event('a', 1)]

  t.strictSame(countUnknownEvents(newestFirst, connection, optionsWith()), [
    {
      eventType: 'a',
      count: 3,
      firstAt: hourOf(1),
      lastAt: hourOf(4),
      lastDeliveryId: '4',
      replayableUntil: '2026-02-07T01:00:00.000Z',
      isKnown: false,
      newVersion: null
    },
    {
      eventType: 'b',
      count: 2,
      firstAt: hourOf(3),
      lastAt: hourOf(5),
      lastDeliveryId: '5',
      replayableUntil: '2026-02-07T03:00:00.000Z',
      isKnown: false,
      newVersion: null
    }
  ])
})

t.test('types that a replay would handle come first, then those that another version knows', async t => {
  const newestFirst = [event('x', 5), event('x', 4), event('price.changed', 3), event('stock.moved', 2)]
  const versions = { '2.0.0-rc.1': ['price.changed'], '1.2.0': ['price.changed'], '1.1.0': ['price.changed', 'y'] }

  t.match(countUnknownEvents(newestFirst, connection, optionsWith(versions)), [
    { eventType: 'stock.moved', isKnown: true, newVersion: null },
    { eventType: 'price.changed', isKnown: false, newVersion: '1.2.0' },
    { eventType: 'x', isKnown: false, newVersion: null }
  ])
  t.match(countUnknownEvents([event('z', 1)], connection, optionsWith({ '2.0.0-rc.1': ['z'], '1.2.0': [] })), [
    { newVersion: '2.0.0-rc.1' }
  ], 'a pre-release only when no stable version knows it')
})

t.test('a type that came once or twice and that no version knows needs nobody', async t => {
  t.strictSame([1, 2, 3].map(count => needPerson(events({ count }))), [false, false, true])
  t.ok(needPerson(events({ isKnown: true })))
  t.ok(needPerson(events({ newVersion: '1.1.0' })))
})

t.test('the advice names the version and the command of the replay with type and time', async t => {
  const replay = '`linker deliveries replay --connection "My shop" --status ignored --type price.changed ' +
    `--since ${hourOf(1)} --dry-run\``
  const advise = (more: Partial<UnknownEvents>) => adviseOnUnknown(connection, [events(more), events()])

  t.equal(
    advise({ isKnown: true }),
    `The connection knows 'price.changed' by now: ${replay} tells what a replay would do.`
  )
  t.equal(
    advise({ newVersion: '1.1.0' }),
    'Version 1.1.0 of the adapter is loaded and knows \'price.changed\': `linker connections move "My shop" ' +
      `--to 1.1.0 --dry-run\` tells what a move would change. After the move, ${replay} tells what a replay would do.`
  )
  t.match(advise({}), '`linker upgrade --plan`')
  t.ok(advise({}).includes(replay))
})

t.test('the first event ends the time for a replay of all', async t => {
  t.equal(
    replayEndOf([events(), events({ replayableUntil: '2026-02-06T23:00:00.000Z' })]),
    '2026-02-06T23:00:00.000Z'
  )
})

t.test('the events of several connections are read at once, without tests and those too old to replay', async t => {
  const driver = await openTableDriver()
  t.teardown(driver.close)
  const { query } = driver.database
  const ignored = createIgnoredEvents(driver.database, 7)
  const [one, two, quiet] = [randomUUID(), randomUUID(), randomUUID()]
  for (const connectionId of [one, two, quiet]) await driver.setVersion(connectionId, 1)
  const keep = async (connectionId: string, eventId: string, reason: 'test' | 'unknown event type') =>
    ignored.keep({
      message: {
        provider: 'feedshop',
        connectionId,
        objectType: 'stock',
        externalId: '27',
        eventId,
        eventType: 'price.changed',
        occurredAt: hourOf(1),
        publishedAt: hourOf(1)
      },
      reason,
      fields: {}
    })
  for (const eventId of ['a', 'b', 'old']) await keep(one, eventId, 'unknown event type')
  await keep(two, 'c', 'unknown event type')
  await keep(quiet, 'd', 'test')
  await query("update ignored_events set ignored_at = now() - interval '7 days 1 minute' where event_id = 'old'")
  const connections = [one, two, quiet].map(connectionId => ({ ...connection, id: connectionId }))

  const found = await readUnknownEvents(query, connections, optionsWith())

  t.strictSame([...found].map(([connectionId, [first]]) => [connectionId, first?.count]), [[one, 2], [two, 1]])
  t.strictSame([...(await readUnknownEvents(query, connections.slice(1), optionsWith())).keys()], [two])
})
