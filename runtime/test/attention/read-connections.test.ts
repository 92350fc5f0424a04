import { randomUUID } from 'node:crypto'
import t from 'tap'
import { connectionItems } from '../../src/attention/items/connection-items.ts'
import { awayIn, listConnections, readConnectionFacts } from '../../src/attention/read-connections.ts'
import { findConnections } from '../../src/connections/store.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'

const pin = { adapterKey: 'shop.api.v1', adapterVersion: '2.0.0' }
const away = { ...pin, problem: 'not installed' }
const serves = { host: 'a', pid: 1, adaptersAway: [] }
const lacks = { host: 'b', pid: 2, adaptersAway: [away] }

t.test('an adapter is away as long as one process lacks it', async t => {
  t.match(awayIn([serves, lacks], pin), {
    problem: 'not installed',
    processes: [{ host: 'b', pid: 2 }],
    isEverywhere: false
  })
  t.match(awayIn([lacks, { ...lacks, pid: 3 }], pin), { processes: { length: 2 }, isEverywhere: true })
  t.equal(awayIn([serves, { ...serves, pid: 3 }], pin), null)
})

t.test('another version of it does not matter', async t => {
  t.equal(awayIn([lacks], { ...pin, adapterVersion: '1.0.0' }), null)
  t.equal(awayIn([lacks], { ...pin, adapterVersion: null }), null)
})

t.test('a text of a platform or an adapter is quoted without secrets and cut, or not at all', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database
  for (let number = 0; number < 60; number++) await jobs.addConnection()
  const connections = await listConnections(query)
  const [first] = connections
  if (first === undefined) throw new Error('there is no connection')
  const said = `the key s3cret of ${randomUUID()} ${'was refused '.repeat(500)}`
  await query("update connections set status = 'error', status_reason = $1", [said])
  const { adapterKey, adapterVersion = null } = first
  const lacking = { host: 'a', pid: 1, adaptersAway: [{ adapterKey, adapterVersion, problem: said }] }

  const facts = await readConnectionFacts(query, await findConnections(query, connections.map(({ id }) => id)), {
    listAway: async () => [lacking],
    // As `redactorsOf` does: it leaves the texts of connections as they are for which nobody asked.
    redactorsOf: async ids => {
      const asked = new Set(ids)
      return id => value => asked.has(id) ? String(value).replaceAll('s3cret', '[redacted]') : value
    }
  })
  const items = connectionItems(facts, Date.now())

  t.equal(items.length, 120)
  t.notMatch(JSON.stringify(items), 's3cret')
  t.equal(items.filter(({ detail }) => detail.includes('the key [redacted] of')).length, 100)
  t.ok(items.every(({ detail }) => detail.length < 500))
})

t.test('the connection that takes the orders of an account is named where the hub found another one', async t => {
  const { database: { query }, addConnection } = await openJobsFor(t, cheapestKind)
  const [first, allowed, found, other] = [
    await addConnection(),
    await addConnection(),
    await addConnection(),
    await addConnection()
  ]
  const open = (id: string, account: string, shared: string | null) =>
    query('update connections set account_id = $2, account_shared = $3 where id = $1', [id, account, shared])
  await open(first, 'a', null)
  await open(allowed, 'a', 'allowed')
  await open(found, 'a', 'found')
  await open(other, 'b', null)

  const facts = await readConnectionFacts(query, await listConnections(query), {
    listAway: async () => [],
    redactorsOf: async () => () => value => value
  })

  t.strictSame(
    facts.flatMap(({ id, ordersTakenBy }) => ordersTakenBy === null ? [] : [[id, ordersTakenBy.id]]),
    [[found, first]]
  )
})
