import { randomUUID } from 'node:crypto'
import t from 'tap'
import { readKeyWarnings } from '../../src/cli/key-warnings.ts'
import { credentialContext } from '../../src/credentials/credentials.ts'
import { createSealing } from '../../src/credentials/sealing.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'

const keyOf = (id: string, byte: number): string => `${id}:${Buffer.alloc(32, byte).toString('base64')}`

t.test('the keys that the stored credentials need are compared with those of the hub', async t => {
  const { database: { query } } = await openJobsFor(t, cheapestKind)
  const ref = `db:${randomUUID()}`
  const { json } = createSealing({ credentialsKey: keyOf('k1', 1) })
    .seal({ apiKey: 'secret' }, credentialContext(ref, 'shop'))
  await query(
    `insert into integration_credentials (ref, platform_type, credentials_json, encrypted, created_at, updated_at)
    values ($1, 'shop', $2, true, now(), now())`,
    [ref, JSON.stringify(json)]
  )

  t.strictSame(await readKeyWarnings(query, keyOf('k1', 1)), [])
  t.strictSame(await readKeyWarnings(query, `${keyOf('k2', 2)},${keyOf('k1', 1)}`), [])
  t.match(await readKeyWarnings(query, undefined), [/^WARNING: some credentials are encrypted with key 'k1': add it/])
  t.match(await readKeyWarnings(query, keyOf('k2', 2)), [/^WARNING: some credentials are encrypted with key 'k1'/])
  t.match(await readKeyWarnings(query, keyOf('k1', 9)), [/^WARNING: LINKER_CREDENTIALS_KEY holds another key 'k1'/])
})
