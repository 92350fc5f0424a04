import { randomUUID } from 'node:crypto'
import t from 'tap'
import { credentialContext } from '../../../src/credentials/credentials.ts'
import { createFlowServices } from '../../../src/credentials/oauth-flows.ts'
import { ownSealedTables } from '../../../src/credentials/rewrap/store.ts'
import { createKeyLog, findUnreadableKeys } from '../../../src/credentials/rewrap/unreadable-keys.ts'
import { createSealing } from '../../../src/credentials/sealing.ts'
import { webhookSecretTable } from '../../../src/webhooks/rewrap/store.ts'
import { storeNewSecret } from '../../../src/webhooks/stored-secrets.ts'
import { kinds, openJobsFor, recordingLog } from '../../jobs/support.ts'

const keyOf = (id: string, byte: number): string => `${id}:${Buffer.alloc(32, byte).toString('base64')}`
const [right, wrong] = [keyOf('k1', 1), keyOf('k1', 9)]
const sealingWith = (credentialsKey?: string) => createSealing(credentialsKey === undefined ? {} : { credentialsKey })

for (const kind of kinds(t)) {
  t.test(`a process finds the keys of the secrets that it cannot open, ${kind}`, async t => {
    const { database, addConnection } = await openJobsFor(t, kind)
    const { query } = database
    const tables = [...ownSealedTables(query), webhookSecretTable(query)]
    const unreadable = async (key?: string) => findUnreadableKeys(sealingWith(key), tables)

    async function storeCredentials (key: string | undefined, secondsAgo: number): Promise<void> {
      const ref = randomUUID()
      const { json, encrypted } = sealingWith(key).seal({ apiKey: 'secret' }, credentialContext(ref, 'shop'))
      await query(
        `insert into integration_credentials (ref, platform_type, credentials_json, encrypted, created_at, updated_at)
        values ($1, 'shop', $2, $3, now(), now() - interval '1 second' * $4)`,
        [ref, JSON.stringify(json), encrypted, secondsAgo]
      )
    }

    t.strictSame(await unreadable(), [], 'an empty database needs no key')
    await storeCredentials(undefined, 100)
    t.strictSame(await unreadable(), [], 'plain credentials need none')

    await t.test('of each table', async t => {
      const flows = createFlowServices({ database, sealing: sealingWith(keyOf('k3', 3)), platformType: 'probe' })
      await flows.beginFlow({ verifier: 'v' }, 60)
      const connection = { id: await addConnection(), platformType: 'shop', webhookRules: null }
      await query("update connections set platform_type = 'shop' where id = $1", [connection.id])
      await storeNewSecret(query, sealingWith(keyOf('k2', 2)), connection, new Date())
      await storeCredentials(right, 60)

      t.strictSame((await unreadable()).map(({ keyId, problem }) => `${keyId} ${problem}`).toSorted(), [
        'k1 missing',
        'k2 missing',
        'k3 missing'
      ])
      t.strictSame(await unreadable([keyOf('k2', 2), keyOf('k3', 3), wrong].join(',')), [
        { keyId: 'k1', problem: 'wrong' }
      ])
      t.strictSame(await unreadable([keyOf('k2', 2), keyOf('k3', 3), right].join(',')), [])
      await query("update webhook_secrets set expires_at = now() - interval '1 second'")
      await query("update flows set expires_at = now() - interval '1 second'")
      t.strictSame(await unreadable(right), [], 'nobody opens those that ended')
    })

    await t.test('also when another process has used a wrong key of the same id since', async t => {
      await storeCredentials(right, 30)
      await storeCredentials(wrong, 0)

      t.strictSame(await unreadable(right), [{ keyId: 'k1', problem: 'wrong' }])
      t.strictSame(await unreadable(wrong), [{ keyId: 'k1', problem: 'wrong' }])
    })
  })
}

t.test('the log names a key once, and again when it is unreadable anew', t => {
  const log = recordingLog()
  const note = createKeyLog(log)

  note([{ keyId: 'k1', problem: 'wrong' }])
  note([{ keyId: 'k1', problem: 'wrong' }, { keyId: 'k2', problem: 'missing' }])
  note([])
  note([{ keyId: 'k1', problem: 'wrong' }])

  t.match(log.entries, [
    { level: 'error', fields: { keyId: 'k1' } },
    { level: 'error', fields: { keyId: 'k2' } },
    { level: 'error', fields: { keyId: 'k1' } }
  ])
  t.equal(log.entries.length, 3)
  t.end()
})
