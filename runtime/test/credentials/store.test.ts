import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createFlowServices } from '../../src/credentials/oauth-flows.ts'
import { createSealing } from '../../src/credentials/sealing.ts'
import { insertCredential, lockCredential, readCredentials, readKeyIds } from '../../src/credentials/store.ts'
import { cheapestKind, kinds, makePlace, openJobs, openJobsFor } from '../jobs/support.ts'

const keyOf = (id: string): string => `${id}:${Buffer.alloc(32, 7).toString('base64')}`

for (const kind of kinds(t)) {
  t.test(`a key is listed while anything is encrypted with it, not credentials alone, ${kind}`, async t => {
    const place = await makePlace(kind)
    t.teardown(() => place.remove())
    const jobs = await openJobs(place)
    t.teardown(() => jobs.close())
    const { query } = jobs.database
    const sealing = (id: string) => createSealing({ credentialsKey: keyOf(id) })
    t.strictSame(await readKeyIds(query), [])

    const secret = sealing('webhooks').seal({ secret: 's' }, 'webhook_secrets')
    await query(
      `
      insert into webhook_secrets (id, connection_id, secret_json, encrypted, created_at)
      values ($1, $2, $3, $4, now())`,
      [randomUUID(), await jobs.addConnection(), JSON.stringify(secret.json), secret.encrypted]
    )
    const flows = createFlowServices({ database: jobs.database, sealing: sealing('flows'), platformType: 'probe' })
    await flows.beginFlow({ verifier: 'v' }, 60)
    await flows.beginFlow({ verifier: 'v' }, 0)

    t.strictSame(await readKeyIds(query), ['flows', 'webhooks'])
    await query("update flows set expires_at = now() - interval '1 second'")
    t.strictSame(await readKeyIds(query), ['webhooks'])
  })
}

t.test('jobs read credentials as the entity has them, apart from their times', async t => {
  const { database } = await openJobsFor(t, cheapestKind)
  const em = database.orm.em.fork()
  const { ref, version, ...content } = {
    ref: 'db:probe',
    platformType: 'probe',
    credentialsJson: { token: ['a'] },
    encrypted: true,
    version: 3,
    createdAt: new Date(),
    updatedAt: new Date()
  }
  insertCredential(em, { ref, version, ...content })
  await em.flush()
  em.clear()

  const entity = await em.transactional(forked => lockCredential(forked, ref))
  const { createdAt, updatedAt, ...expected } = { ...entity }
  t.strictSame([createdAt, updatedAt], [content.createdAt, content.updatedAt])
  t.strictSame(await readCredentials(database.query, [ref, ref, 'db:none']), [expected])
})
