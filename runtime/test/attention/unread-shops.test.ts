import t from 'tap'
import { openSources, type SourceServices } from '../../src/attention/sources.ts'
import { storeSetting } from '../../src/schedules/store.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'

t.test('a shop whose polls failed is unread, unless somebody switched their schedule off', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database } = jobs
  const shop = await jobs.addConnection()
  await database.query('update connections set capabilities = \'["OrderProcessorManager"]\' where id = $1', [shop])
  await database.query(
    `insert into jobs (id, idempotency_key, job_type, connection_id, payload, lane, object_key, created_at, due_at,
      outcome, died_at)
    values (gen_random_uuid(), 'poll', 'master.orders.poll', $1, '{}', 'state', 'shop', now() - interval '90 minutes',
      now(), 'dead', now())`,
    [shop]
  )
  const unread = async (schedules?: object) => {
    const services: Partial<SourceServices> = { database }
    Object.assign(services, { settings: { file: { schedules } } })
    const sources = await openSources(services as SourceServices, new Date())
    const items = await sources.find(({ kinds }) => kinds.includes('unread-shops'))?.read()
    return items?.map(({ connectionId }) => connectionId)
  }
  const set = (enabled: boolean) =>
    storeSetting(database.query, {
      connectionId: shop,
      name: 'shop-orders-poll',
      every: undefined,
      enabled,
      enabledByDefault: true
    })

  t.strictSame(await unread(), [shop])
  t.strictSame(await unread({ 'shop-orders-poll': { enabled: false } }), [], 'linker.config.json did')
  await set(true)
  t.strictSame(await unread({ 'shop-orders-poll': { enabled: false } }), [shop], 'the connection has it')
  await set(false)
  t.strictSame(await unread(), [], 'an operator did')
})
