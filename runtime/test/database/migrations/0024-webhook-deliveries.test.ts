import t from 'tap'
import { openDatabase } from '../../../src/database/database.ts'
import { entities } from '../../../src/entities.ts'
import { toInboundFields } from '../../../src/events/inbound-fields.ts'
import { listIgnored } from '../../../src/events/store.ts'
import { jobIdOf } from '../../../src/jobs/identity.ts'
import { kinds, makePlace, openJobs } from '../../jobs/support.ts'

const log = { warn: () => undefined }
const count = 40

for (const kind of kinds(t)) {
  t.test(`ignored events of the version before are found by the id that their senders got, ${kind}`, async t => {
    const place = await makePlace(kind)
    t.teardown(() => place.remove())
    const jobs = await openJobs(place)
    const { query } = jobs.database
    const connectionId = await jobs.addConnection()
    await query(`
      drop table webhook_refusals;
      alter table ignored_events
        drop column delivery_id,
        drop column provider,
        drop column reason,
        drop column event
    `)
    const events = Array.from({ length: count }, (_, index) => ({
      provider: 'shopa',
      connectionId,
      ...(index % 2 === 0 ? { requestId: `r-${index}` } : {}),
      objectType: 'stock',
      externalId: `ż '"\\? ${index}`,
      eventId: `event-${index}`,
      eventType: 'stock.chnaged',
      occurredAt: '2026-01-31T11:00:00Z',
      publishedAt: '2026-01-31T11:00:01.000Z'
    }))
    for (const event of events) {
      await query('insert into ignored_events (connection_id, event_id, event_type, message) values ($1, $2, $3, $4)', [
        connectionId,
        event.eventId,
        event.eventType,
        JSON.stringify(toInboundFields({ ...event, payloadText: '{"a NUL":"\\u0000","why?":"?"}' }))
      ])
    }
    await query("delete from linker_migrations where name like '0024%'")
    await jobs.close()

    const database = await openDatabase(place, log, entities)
    t.teardown(() => database.close())

    const found = await listIgnored(database.query, { connectionId, limit: 2 * count })
    t.equal(found.length, count)
    for (const event of events) {
      const deliveryId = jobIdOf(`webhook:shopa:${connectionId}:${event.eventId}`)
      t.match(found.find(kept => kept.deliveryId === deliveryId), { reason: 'unknown event type', event })
    }
  })
}
