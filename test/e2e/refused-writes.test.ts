import pg from 'pg'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { buildTestHub, type TestHub } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import { hasRedisServer, startRedisPair } from '../support/redis-pair.ts'

const modes = availableModes(process.env)

/** Waits until `/readyz` answers 503 with this reason, or 200 without one. */
async function ready (hub: TestHub, reason?: RegExp): Promise<void> {
  await eventually(`/readyz to say ${String(reason ?? 'that the hub is ready')}`, async () => {
    const { status, text } = await hub.call('GET', '/readyz')
    return (reason === undefined ? status === 200 : status === 503 && reason.test(text)) ? true : undefined
  })
}

async function deliver (hub: TestHub, shop: string): Promise<number> {
  const event = { eventType: 'product.saved', objectType: 'product', externalId: '27' }
  return (await hub.deliver(shop, event)).status
}

t.test('readiness tells that Redis answers but takes no writes, also without a delivery', {
  skip: !(modes.includes('full') && hasRedisServer()) && 'needs PostgreSQL, and a redis-server to start its own'
}, async t => {
  const pair = await startRedisPair(t)
  const primary = pair.primary()
  const hub = await buildTestHub(t, {
    mode: 'full',
    reroute: async variables => ({ ...variables, REDIS_URL: pair.url() })
  })
  const shop = await hub.connect('shopa')
  t.equal(await deliver(hub, shop), 202)

  await primary.config('SET', 'maxmemory', '1')
  await ready(hub, /the streams cannot write: the memory of Redis is full/)
  await primary.config('SET', 'maxmemory', '0')
  await ready(hub)

  await primary.call('REPLICAOF', '127.0.0.1', '1')
  t.equal(await deliver(hub, shop), 500)
  await ready(hub, /the streams cannot write: Redis is a replica/)
  await primary.call('REPLICAOF', 'NO', 'ONE')
  await ready(hub)
  t.equal(await deliver(hub, shop), 202)
})

/** Lets a database refuse writes, on new connections too, or take them again. */
async function setReadOnly (databaseUrl: string, value: 'on' | 'off'): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const name = pg.escapeIdentifier(new URL(databaseUrl).pathname.slice(1))
  await client.query('set default_transaction_read_only = off')
  await client.query(`alter database ${name} set default_transaction_read_only = ${value}`)
  await client
    .query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> ' +
      'pg_backend_pid()')
  await client.end()
}

t.test('readiness tells that PostgreSQL answers but is read-only', {
  skip: !modes.includes('postgres') && 'needs PostgreSQL'
}, async t => {
  const hub = await buildTestHub(t, { mode: 'postgres' })
  const databaseUrl = hub.variables.DATABASE_URL ?? ''
  const shop = await hub.connect('shopa')
  t.equal(await deliver(hub, shop), 202)

  await setReadOnly(databaseUrl, 'on')
  await ready(hub, /the database cannot write: PostgreSQL is read-only/)
  t.equal(await deliver(hub, shop), 500)
  await setReadOnly(databaseUrl, 'off')
  await ready(hub)
  t.equal(await deliver(hub, shop), 202)
})
