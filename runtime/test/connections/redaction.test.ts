import { Type } from '@sinclair/typebox'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createRedaction } from '../../src/connections/redaction.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { openConnections } from './open-connections.ts'
import { fakeAdapter, registryOf } from './support.ts'

const secretText = Type.String({ secret: true })
const adapter = fakeAdapter({
  config: Type.Object({ shop: Type.String(), feedKey: secretText }),
  credentials: Type.Object({ user: Type.String(), password: secretText })
})
const body = {
  platformType: 'feed',
  name: 'Feed',
  config: { shop: 'the-shop-1', feedKey: 'config-secret-1' },
  credentials: { user: 'the-user-1', password: 'stored-secret-1' }
}
const value = { url: 'https://x/?key=config-secret-1', log: ['stored-secret-1 of the-user-1 at the-shop-1'], count: 3 }

t.test('values that the API shows', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { connections } = openConnections(jobs, [adapter])
  const create = async (): Promise<string> => (await connections.create(body, randomUUID())).connection.id

  t.test('secrets of config and credentials are hidden wherever they stand, and nothing else is', async t => {
    const id = await create()
    const redact = (await connections.redactorsOf([id, null, id]))(id)

    t.strictSame(redact(value), {
      url: 'https://x/?key=[redacted]',
      log: ['[redacted] of the-user-1 at the-shop-1'],
      count: 3
    })
  })

  t.test('each connection hides its own secrets; the hub itself and one that is gone have none', async t => {
    const id = await create()
    const other = await jobs.addConnection()
    const redactorOf = await connections.redactorsOf([id, other, null, randomUUID()])

    for (const without of [other, null, randomUUID()]) t.strictSame(redactorOf(without)(value), value)
    t.not(redactorOf(id)(value), value)
  })

  t.test('without its adapter every text of the credentials counts as a secret', async t => {
    const id = await create()
    const { connections: without } = openConnections(jobs, [])

    t.match((await without.redactorsOf([id]))(id)(value), {
      url: 'https://x/?key=[redacted]',
      log: ['[redacted] of [redacted] at the-shop-1']
    })
  })

  t.test('of a deleted connection no text is shown, because its secrets are gone', async t => {
    const id = await create()
    await jobs.database.query('update connections set deleted_at = now() where id = $1', [id])

    t.strictSame((await connections.redactorsOf([id]))(id)(value), {})
  })

  t.test('when the credentials cannot be read, no text is shown', async t => {
    const id = await create()
    const { redactorsOf } = createRedaction({
      database: jobs.database,
      registry: registryOf(adapter),
      credentials: { read: () => Promise.reject(new Error('the key is missing')) }
    })
    const hide = (await redactorsOf([id]))(id)

    t.strictSame(['text', { a: 'text' }, ['text'], 3, true, null].map(hide), ['[redacted]', {}, [], 3, true, null])
  })
})
