import t from 'tap'
import { hasJob } from '../../src/handlers/has-job.ts'
import { fakeAdapter, registryOf } from '../connections/support.ts'

const registry = registryOf(fakeAdapter({ described: { jobs: { 'feed.read': {} } } }))
const has = (jobType: string, adapterVersion: string | null = null) =>
  hasJob(registry, { adapterKey: 'feed.api.v1', adapterVersion }, jobType)

t.test('a connection runs the jobs of the core and those that its adapter declares', async t => {
  t.equal(has('marketplace.orders.poll'), true)
  t.equal(has('feed.read'), true)
  t.equal(has('feed.write'), false)
  t.equal(has('toString'), false)
})

t.test('while the adapter is away any job may run: it waits for it', async t => {
  t.equal(has('feed.write', '9.0.0'), true)
})
