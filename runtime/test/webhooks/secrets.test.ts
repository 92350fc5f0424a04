import { signWebhook, verifyWebhook } from '@linker/sdk'
import t from 'tap'
import { createSecrets, type SecretsOptions } from '../../src/webhooks/secrets.ts'
import { connection, shopId } from './support.ts'

const ownName = 'LINKER_WEBHOOK_SECRET__SHOPA__123E4567E89B12D3A456426614174000'
const candidates = ['own', 'provider', 'first', 'second', 'other']

/** Which of the candidates open a connection. */
async function opened (options: Omit<SecretsOptions, 'variables'> & { variables?: Record<string, string> }, of = connection(shopId)): Promise<string[]> {
  const secrets = await createSecrets({ ...options, variables: new Map(Object.entries(options.variables ?? {})) })(of)
  return candidates.filter(candidate => secrets.some(({ key }) => verifyWebhook(key, '1', 'body', signWebhook(candidate, '1', 'body'))))
}

t.test('the variable of the connection wins over that of the provider, and both over stored secrets', async t => {
  const stored = async () => ['first', 'second']
  t.strictSame(await opened({ variables: { [ownName]: 'own', LINKER_WEBHOOK_SECRET__SHOPA: 'provider' }, stored }), ['own'])
  t.strictSame(await opened({ variables: { LINKER_WEBHOOK_SECRET__SHOPA: 'provider' }, stored }), ['provider'])
  t.strictSame(await opened({ variables: {}, stored }), ['first', 'second'])
  t.strictSame(await opened({}), [])
})

t.test('an empty secret counts as absent', async t => {
  t.strictSame(await opened({ variables: { [ownName]: '', LINKER_WEBHOOK_SECRET__SHOPA: 'provider' } }), ['provider'])
  t.strictSame(await opened({ variables: { [ownName]: '', LINKER_WEBHOOK_SECRET__SHOPA: '' }, stored: async () => ['', 'first'] }), ['first'])
})

t.test('a platform with a dash has a variable with an underscore', async t => {
  t.strictSame(await opened({ variables: { LINKER_WEBHOOK_SECRET__MY_SHOP: 'provider' } }, connection(shopId, { platformType: 'my-shop' })), ['provider'])
})

t.test('the secret of another connection or platform is not looked at', async t => {
  t.strictSame(await opened({ variables: { LINKER_WEBHOOK_SECRET__SHOPA__00000000000040008000000000000001: 'other', LINKER_WEBHOOK_SECRET__MKTB: 'other', LINKER_WEBHOOK_SECRET__: 'other' } }), [])
})

t.test('stored secrets are read once for each version of the connection', async t => {
  const reads: string[] = []
  const secretsOf = createSecrets({ variables: new Map(), stored: async id => { reads.push(id); return [`secret-${reads.length}`] } })
  await Promise.all([secretsOf(connection(shopId)), secretsOf(connection(shopId))])
  await secretsOf(connection(shopId))
  t.equal(reads.length, 1)

  await secretsOf(connection(shopId, { epoch: 2 }))
  t.equal(reads.length, 2)
})

t.test('stored secrets that could not be read are read again', async t => {
  let isAway = true
  const secretsOf = createSecrets({
    variables: new Map(),
    async stored () {
      if (isAway) throw new Error('away')
      return ['first']
    }
  })
  await t.rejects(async () => secretsOf(connection(shopId)), /away/)
  isAway = false

  t.equal((await secretsOf(connection(shopId))).length, 1)
})
