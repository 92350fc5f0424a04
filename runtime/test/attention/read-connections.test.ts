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
