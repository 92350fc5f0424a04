import { randomUUID } from 'node:crypto'
import t from 'tap'
import { findConnections, readConnection } from '../../src/connections/store.ts'
import { setHold } from '../../src/jobs/holds/store.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'

const insertFilled = `
  insert into connections (
    id, platform_type, name, status, status_reason, config, credentials_ref, adapter_key, adapter_version,
    capabilities, webhook_scheme, webhook_events, webhook_body, webhook_rules, secret_members,
    installing_until, version, created_at, updated_at
  )
  values (
    $1, 'probe', 'Filled', 'error', 'refused', '{"url": "https://shop.example"}', 'db:probe', 'probe.v1', '1.2.3',
    '["MarketStockWriter"]', 'bearer', '{"stock.changed": "stock"}', '{"id": "/id", "type": "/type"}',
    '{"verify": {"kind": "basic"}}', '["token"]',
    '2026-01-02T03:04:05.678Z', 7, '2026-01-01T00:00:00.001Z', '2026-01-01T00:00:00.999Z'
  )`

t.test('jobs read every member of a connection that the entity has', async t => {
  const { database, addConnection } = await openJobsFor(t, cheapestKind)
  const filled = randomUUID()
  await database.query(insertFilled, [filled])
  await setHold(database.query, filled, 'moving', true)

  for (const id of [filled, await addConnection()]) {
    const entity = await readConnection(database.orm.em.fork(), id)
    t.strictSame(await findConnections(database.query, [id, id]), [{ ...entity }])
  }
})
