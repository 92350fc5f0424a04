import { randomUUID } from 'node:crypto'
import t from 'tap'
import { readRevived } from '../../src/backup/revived.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'

const now = new Date('2026-06-01T12:00:00.000Z')
const later = '2026-06-02T12:00:00.000Z'
const before = '2026-05-31T12:00:00.000Z'

t.test('tokens and webhook secrets that work after a restore', async t => {
  const { database: { query }, addConnection } = await openJobsFor(t, cheapestKind)
  const connectionId = await addConnection()

  t.strictSame(await readRevived(query, now), { tokens: [], webhookSecrets: [] })

  const addToken = async (
    name: string,
    members: { expiresAt?: string, revokedAt?: string, parentHash?: string } = {}
  ) => {
    const { expiresAt = null, revokedAt = null, parentHash = null } = members
    await query(
      `insert into api_tokens (id, name, scope, token_hash, parent_hash, created_at, created_by, expires_at, revoked_at)
      values (gen_random_uuid(), $1, 'operate', $1, $2, $3, 'somebody', $4, $5)`,
      [name, parentHash, before, expiresAt, revokedAt]
    )
  }
  await addToken('no end')
  await addToken('ends later', { expiresAt: later })
  await addToken('ended', { expiresAt: before })
  await addToken('revoked', { revokedAt: before })
  await addToken('session', { parentHash: 'no end', expiresAt: later })
  const addSecret = async (id: string, expiresAt: string | null) => {
    await query(
      `insert into webhook_secrets (id, connection_id, secret_json, encrypted, created_at, installed_at, expires_at)
      values ($1, $2, '{"secret":"s3cret"}', false, $3, $3, $4)`,
      [id, connectionId, before, expiresAt]
    )
  }
  const [valid, replaced, over] = [randomUUID(), randomUUID(), randomUUID()]
  await addSecret(replaced, later)
  await addSecret(valid, null)
  await addSecret(over, before)
  const [{ name = '' } = {}] = await query<{ name: string }>('select name from connections where id = $1', [
    connectionId
  ])
  const revived = await readRevived(query, now)

  t.strictSame(revived.tokens.map(token => [token.name, token.scope, token.expiresAt]).toSorted(), [
    ['ends later', 'operate', later],
    ['no end', 'operate', null]
  ])
  t.strictSame(revived.webhookSecrets, [
    {
      id: replaced,
      connectionId,
      createdAt: before,
      installedAt: before,
      expiresAt: later,
      connectionName: name
    },
    { id: valid, connectionId, createdAt: before, installedAt: before, expiresAt: null, connectionName: name }
  ])
  t.notMatch(JSON.stringify(revived), 's3cret')
})
