import { randomUUID } from 'node:crypto'
import t from 'tap'
import { readWebhookConnections } from '../../src/connections/store.ts'
import { createSealing } from '../../src/credentials/sealing.ts'
import { createSecretOpener, markInstalled, overlapMs, storeNewSecret } from '../../src/webhooks/stored-secrets.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'

const sealing = createSealing({ credentialsKey: `k1:${Buffer.alloc(32, 7).toString('base64')}` })
const open = createSecretOpener(sealing)
const nowMs = Date.parse('2026-01-31T12:00:00.000Z')

t.test('stored webhook secrets', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database

  /** A connection to which the tests add secrets, a minute apart. */
  async function addConnection () {
    const connection = { id: await jobs.addConnection(), platformType: 'feed', webhookRules: null }
    let minute = 0
    const at = (): Date => new Date(nowMs + minute * 60_000)
    const stored = async () => (await readWebhookConnections(query, [connection.id]))[0]?.webhookSecrets ?? []
    return {
      stored,
      secrets: async () => (await stored()).map(secret => open(secret, 'feed')),
      add () {
        minute += 1
        return storeNewSecret(query, sealing, connection, at())
      },
      install: (secretId: string) => markInstalled(query, connection.id, secretId, at())
    }
  }

  t.test('a secret is stored encrypted, for its row and its platform only', async t => {
    const { add, stored } = await addConnection()
    const { secret } = await add()
    const [row] = await stored()
    if (row === undefined) throw new TypeError('nothing is stored')

    t.equal(Buffer.from(secret, 'base64url').length, 32)
    t.notMatch(JSON.stringify(row), secret)
    t.equal(open(row, 'feed'), secret)
    t.throws(() => open(row, 'mail'))
    t.throws(() => open({ ...row, id: randomUUID() }, 'feed'))
  })

  t.test('once the platform took a secret, the others are good for another day', async t => {
    const { add, install, stored } = await addConnection()
    const old = await add()
    await install(old.id)
    const current = await add()
    await install(current.id)

    t.strictSame((await stored()).map(({ id, expiresAtMs }) => [id, expiresAtMs]), [
      [current.id, null],
      [old.id, nowMs + 2 * 60_000 + overlapMs]
    ])
  })

  t.test('a secret that the platform may have is good until a newer one is installed', async t => {
    const { add, stored } = await addConnection()
    await add()
    await add()

    t.strictSame((await stored()).map(({ expiresAtMs }) => expiresAtMs), [null, null])
  })

  t.test('five are good at most, and the installed one is not given up for those that were refused', async t => {
    const { add, install, secrets } = await addConnection()
    const installed = await add()
    await install(installed.id)
    const refused: string[] = []
    for (let number = 0; number < 6; number++) refused.push((await add()).secret)

    t.strictSame(await secrets(), [...refused.slice(-4).toReversed(), installed.secret])
  })
})

t.test('a stored secret that is none proves nothing', async t => {
  const plain = createSealing({})
  const openPlain = createSecretOpener(plain)

  for (const json of [{ secret: '' }, {}, { secret: 7 }]) {
    t.throws(() => openPlain({ id: 'a', json, encrypted: false }, 'feed'), TypeError)
  }
})
