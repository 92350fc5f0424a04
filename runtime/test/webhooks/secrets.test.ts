import { signWebhook, verifyWebhook } from '@linker/sdk'
import t from 'tap'
import type { StoredSecret } from '../../src/connections/connection-cache.ts'
import { createSealing } from '../../src/credentials/sealing.ts'
import { createSecrets } from '../../src/webhooks/secrets.ts'
import { createSecretOpener } from '../../src/webhooks/stored-secrets.ts'
import { connection, shopId, storedSecret } from './support.ts'

const ownName = 'LINKER_WEBHOOK_SECRET__SHOPA__123E4567E89B12D3A456426614174000'
const candidates = ['own', 'provider', 'first', 'second', 'other']

interface Options {
  variables?: Record<string, string>
  now?: () => Date
  open?: (stored: StoredSecret, platformType: string) => string
  onUnreadable?: (connectionId: string) => void
}

function secretsWith ({ variables = {}, ...options }: Options) {
  return createSecrets({
    open: createSecretOpener(createSealing({})),
    now: () => new Date(0),
    ...options,
    variables: new Map(Object.entries(variables))
  })
}

/** Returns the candidates that open a connection. */
function opened (options: Options, of = connection(shopId)): string[] {
  const { known } = secretsWith(options)(of)
  return candidates.filter(candidate =>
    known.some(({ key }) => verifyWebhook(key, '1', 'body', signWebhook(candidate, '1', 'body')))
  )
}

const installed = connection(shopId, { webhookSecrets: [storedSecret('first'), storedSecret('second')] })

t.test('the variable of the connection wins over that of the provider; stored secrets are good too', async t => {
  t.strictSame(opened({ variables: { [ownName]: 'own', LINKER_WEBHOOK_SECRET__SHOPA: 'provider' } }, installed), [
    'own',
    'first',
    'second'
  ])
  t.strictSame(opened({ variables: { LINKER_WEBHOOK_SECRET__SHOPA: 'provider' } }, installed), [
    'provider',
    'first',
    'second'
  ])
  t.strictSame(opened({}, installed), ['first', 'second'])
  t.strictSame(opened({}), [])
})

t.test('an empty secret counts as absent', async t => {
  t.strictSame(opened({ variables: { [ownName]: '', LINKER_WEBHOOK_SECRET__SHOPA: 'provider' } }), ['provider'])
  t.strictSame(
    opened(
      { variables: { [ownName]: '', LINKER_WEBHOOK_SECRET__SHOPA: '' } },
      connection(shopId, { webhookSecrets: [storedSecret(''), storedSecret('first')] })
    ),
    ['first']
  )
})

t.test('a platform with a dash has a variable with an underscore', async t => {
  t.strictSame(
    opened(
      { variables: { LINKER_WEBHOOK_SECRET__MY_SHOP: 'provider' } },
      connection(shopId, { platformType: 'my-shop' })
    ),
    ['provider']
  )
})

t.test('the secret of another connection or platform is not looked at', async t => {
  t.strictSame(
    opened({
      variables: {
        LINKER_WEBHOOK_SECRET__SHOPA__00000000000040008000000000000001: 'other',
        LINKER_WEBHOOK_SECRET__MKTB: 'other',
        LINKER_WEBHOOK_SECRET__: 'other'
      }
    }),
    []
  )
})

t.test('stored secrets are opened once for each reading of the connection, and still expire in time', async t => {
  const opens: string[] = []
  let nowMs = 0
  const secretsOf = secretsWith({
    now: () => new Date(nowMs),
    open: ({ id }) => {
      opens.push(id)
      return id
    }
  })
  const replaced = connection(shopId, { webhookSecrets: [storedSecret('new'), storedSecret('old', 1_000)] })
  nowMs = 999
  t.equal(secretsOf(replaced).known.length, 2)

  nowMs = 1_000
  t.equal(secretsOf(replaced).known.length, 1)
  t.strictSame(opens, ['new', 'old'])
  secretsOf(connection(shopId, { webhookSecrets: [storedSecret('newer')] }))
  t.strictSame(opens, ['new', 'old', 'newer'])
})

t.test('a stored secret that cannot be read is told once, and goes with those that can', async t => {
  const told: string[] = []
  const sealed = { ...storedSecret('lost'), encrypted: true }
  const secretsOf = secretsWith({
    variables: { [ownName]: 'own' },
    onUnreadable: id => {
      told.push(id)
    }
  })
  const of = connection(shopId, { webhookSecrets: [sealed, storedSecret('first')] })

  t.match(secretsOf(of), { known: { length: 2 }, unreadable: Error })
  secretsOf(of)
  t.strictSame(told, [shopId])
  t.match(secretsOf(connection(shopId, { webhookSecrets: [sealed] })), { known: { length: 1 }, unreadable: Error })
  t.equal(secretsOf(connection(shopId)).unreadable, undefined)
})
