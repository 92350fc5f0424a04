import { Redis } from 'ioredis'
import pg from 'pg'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { availableModes, openMode } from '../support/modes.ts'
import { openServerMeter, useOfEach } from './tools/server-meter.ts'

const events = 10
const markers = 1_000

t.test('what the servers used is counted for each event', async t => {
  const modes = availableModes(process.env)
  if (!modes.includes('postgres')) return t.pass('there is no server')
  const { variables, close } = await openMode('postgres', process.env)
  t.teardown(close)
  const meter = await openServerMeter(variables)
  t.teardown(meter.close)
  const before = await meter.read()
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: variables.DATABASE_URL })
    await client.connect()
    return client
  }
  const [client, observer] = [await connect(), await connect()]
  t.teardown(() => observer.end())
  for (let index = 0; index < events; index += 1) await client.query(`create table kept_${index} (id int)`)
  await client.query('select count(*) from generate_series(1, 3000000)')
  const { rows: [{ pid } = { pid: 0 }] } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  await client.end()
  await eventually('the end of the process', async () => {
    const { rows } = await observer.query('select from pg_stat_activity where pid = $1', [pid])
    return rows.length === 0 ? true : undefined
  })
  // The time of a process that has ended counts, too, once the server has taken note of its end.
  const { databaseCpu = Number.NaN, wal = 0, transactions = 0 } = await eventually('its time', async () => {
    const use = useOfEach(before, await meter.read(), events)
    return use.databaseCpu !== undefined && use.databaseCpu <= 5_000 ? undefined : use
  })
  // Other clients of the server may add some.
  t.ok(transactions >= 1, `${transactions} transactions`)
  t.ok(wal > 100, `${wal} bytes`)
  // A server on another machine shows no time.
  t.ok(Number.isNaN(databaseCpu) || databaseCpu > 5_000, `${databaseCpu} µs`)
})

t.test('the markers are what Redis holds outside the streams', async t => {
  if (!availableModes(process.env).includes('full')) return t.pass('there is no server')
  const { variables, close } = await openMode('full', process.env)
  t.teardown(close)
  const redis = new Redis(variables.REDIS_URL ?? '')
  t.teardown(() => {
    redis.disconnect()
  })
  const meter = await openServerMeter(variables)
  t.teardown(meter.close)
  const before = await meter.read()
  for (let index = 0; index < markers; index += 1) await redis.xadd('jobs.sync', '*', 'value', 'x'.repeat(2_000))
  const between = await meter.read()
  for (let index = 0; index < markers; index += 1) await redis.set(`a:${index}`, 'y'.repeat(2_000), 'EX', 60)
  const after = await meter.read()

  const [ofStream = Number.NaN, ofMarkers = Number.NaN] = [
    useOfEach(before, between, markers).markers,
    useOfEach(between, after, markers).markers
  ]
  t.ok(ofStream < 1_000, `${ofStream} bytes for each entry of a stream`)
  t.ok(ofMarkers > 2_000, `${ofMarkers} bytes for each marker`)
  t.ok((after.redisCpu ?? 0) > (before.redisCpu ?? 0))
})

t.test('an embedded database has no server', async t => {
  const meter = await openServerMeter({})
  t.strictSame(useOfEach(await meter.read(), await meter.read(), 1), {})
  await meter.close()
})
