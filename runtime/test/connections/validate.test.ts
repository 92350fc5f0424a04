import { ConfigurationError } from '@linker/sdk'
import type { AdapterCall } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import {
  checkCapabilities,
  checkConfig,
  checkCredentials,
  examineConnection,
  findAdapterProblems,
  needsNoCredentials,
  refuse,
  withoutSecretMembers
} from '../../src/connections/validate.ts'
import { AdapterUnavailableError } from '../../src/errors.ts'
import { answering, fakeAdapter } from './support.ts'

const config = Type.Object({ shop: Type.String() })
const credentials = Type.Object({ key: Type.String({ minLength: 3 }) })

/** An adapter whose check of a config ends like `check`. */
function checking (check: (call: AdapterCall) => unknown) {
  return fakeAdapter({ config, credentials, described: { checksConfig: true }, call: answering(check) })
}

t.test('deprecated members of config and credentials are warnings, and refuse nothing', async t => {
  const old = { deprecated: true, description: 'use shop' }
  const adapter = fakeAdapter({
    config: Type.Object({ site: Type.Optional(Type.String(old)) }),
    credentials: Type.Object({ token: Type.String({ deprecated: true }) })
  })

  t.strictSame(checkConfig(adapter, { site: 'a' }), [
    { pointer: '/config/site', code: 'deprecated', message: 'is deprecated: use shop' }
  ])
  t.strictSame(checkConfig(adapter, {}), [])
  t.match(await examineConnection(adapter, { site: 'a' }, { token: 'abc' }), {
    errors: [],
    warnings: [{ pointer: '/config/site' }, { pointer: '/credentials/token', code: 'deprecated' }],
    credentials: { token: 'abc' }
  })
})

t.test('no problem is no refusal', async t => {
  t.doesNotThrow(() => {
    refuse([])
  })
})

t.test('problems of the adapter point below the config', async t => {
  const calls: AdapterCall[] = []
  const adapter = checking(call => {
    calls.push(call)
    return [{ pointer: '/shop', code: 'unknown', message: 'is unknown' }, { pointer: '', code: 'x', message: 'is odd' }]
  })

  t.strictSame((await findAdapterProblems(adapter, { shop: 'a' })).map(({ pointer }) => pointer), [
    '/config/shop',
    '/config'
  ])
  t.match(calls, [{ target: { kind: 'checkConfig' }, args: [{ shop: 'a' }] }])
})

t.test('an adapter judges only a config that fits its schema, and only when it has a check', async t => {
  const unasked = () => t.fail('the adapter was asked')
  const without = fakeAdapter({ config, call: answering(unasked) })

  t.strictSame(await findAdapterProblems(checking(unasked), { shop: 7 }), [])
  t.strictSame(await findAdapterProblems(without, { shop: 'a' }), [])
})

t.test('an adapter that is away lets a config through, and its refusal is a problem', async t => {
  const failing = (error: Error) =>
    findAdapterProblems(
      checking(() => Promise.reject(error)),
      { shop: 'a' }
    )

  t.strictSame(await failing(new AdapterUnavailableError('feed', 'restarting')), [])
  t.strictSame(await failing(new ConfigurationError('http is not permitted')), [{
    pointer: '/config',
    code: 'configuration',
    message: 'http is not permitted'
  }])
  await t.rejects(failing(new TypeError('a bug')), TypeError)
  await t.rejects(findAdapterProblems(checking(() => ({ shop: 'is bad' })), { shop: 'a' }), TypeError)
})

t.test('a config is refused for what is wrong, and warned of for what is unknown', async t => {
  const adapter = fakeAdapter({ config })

  t.match(checkConfig(adapter, { shop: 'a', shpo: 'b' }), [{ pointer: '/config/shpo' }])
  t.throws(() => checkConfig(adapter, { shop: 7 }), {
    code: 'LNK_CONNECTION_INVALID',
    errors: [{ pointer: '/config/shop' }]
  })
})

t.test('an unknown member of credentials is refused: it may be a misspelt secret', async t => {
  const adapter = fakeAdapter({ credentials })

  t.strictSame(await checkCredentials(adapter, { key: 'abc' }), { key: 'abc' })
  await t.rejects(checkCredentials(adapter, { key: 'abc', kye: 'abc' }), { errors: [{ pointer: '/credentials/kye' }] })
  await t.rejects(checkCredentials(adapter, { key: 'a' }), { errors: [{ pointer: '/credentials/key' }] })
  for (const value of ['abc', null]) {
    await t.rejects(checkCredentials(adapter, value), { errors: [{ pointer: '/credentials', code: 'type' }] })
  }
})

t.test('credentials are brought into their one shape before they are checked', async t => {
  const adapter = fakeAdapter({
    credentials,
    described: { normalizesCredentials: true },
    call: answering(({ target, args }) => target.kind === 'normalizeCredentials' ? { key: args[0] } : undefined)
  })

  t.strictSame(await checkCredentials(adapter, 'abc'), { key: 'abc' })
  await t.rejects(checkCredentials(adapter, 'a'), { errors: [{ pointer: '/credentials/key' }] })
})

t.test('an examination lists all problems at once', async t => {
  const adapter = checking(() => [{ pointer: '/shop', code: 'unknown', message: 'is unknown' }])
  const { errors, warnings } = await examineConnection(adapter, { shop: 'a', other: 1 }, { key: 'a' })

  t.strictSame(errors.map(({ pointer }) => pointer), ['/config/shop', '/credentials/key'])
  t.strictSame(warnings.map(({ pointer }) => pointer), ['/config/other'])
  t.equal((await examineConnection(adapter, { shop: 'a' })).errors.length, 1, 'no credentials, no problem of them')
  t.equal((await examineConnection(adapter, { shop: 'a' }, { key: 'abc' })).errors.length, 1)
})

t.test('an adapter whose credentials are null needs none', async t => {
  t.equal(needsNoCredentials(fakeAdapter()), true)
  t.equal(needsNoCredentials(fakeAdapter({ credentials })), false)
})

t.test('capabilities are those that were asked for, else all of the adapter', async t => {
  const adapter = fakeAdapter({ capabilities: ['InventoryMaster', 'ProductMaster'] })

  t.strictSame(checkCapabilities(adapter, undefined), ['InventoryMaster', 'ProductMaster'])
  t.strictSame(checkCapabilities(adapter, []), [])
  t.throws(() => checkCapabilities(adapter, ['ProductMaster', 'OrderSource']), {
    errors: [{ pointer: '/capabilities', code: 'enum' }]
  })
})

t.test('a member is hidden if it was secret when it was stored, or is secret now', async t => {
  const adapter = fakeAdapter({ config: Type.Object({ token: Type.String({ secret: true }) }) })
  const stored = { config: { shop: 'a', oldKey: 'b', token: 'c' }, secretMembers: ['oldKey'] }

  t.strictSame(withoutSecretMembers(adapter, stored), { shop: 'a' })
  t.strictSame(withoutSecretMembers(undefined, stored), { shop: 'a', token: 'c' })
})
