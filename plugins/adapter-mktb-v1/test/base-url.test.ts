import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { checkConfig, resolveBaseUrl } from '../src/base-url.ts'
import type { Config } from '../src/config.ts'

/** Resolves a config with the defaults of its schema. */
const resolve = (config: Partial<Config>, settings: Readonly<Record<string, unknown>>): string =>
  resolveBaseUrl({ environment: 'production', ...config }, settings)

const platform = {
  production: { baseUrl: 'https://api.market.test/svc/shop-api' },
  sandbox: { baseUrl: 'https://api.sandbox.test/svc/shop-api' },
  ownedHosts: ['market.test']
}
const refused = { code: AdapterErrorCode.configuration }

t.test('the environment decides the address, production by default', async t => {
  t.equal(resolve({}, platform), platform.production.baseUrl)
  t.equal(resolve({ environment: 'production' }, platform), platform.production.baseUrl)
  t.equal(resolve({ environment: 'sandbox' }, platform), platform.sandbox.baseUrl)
})

t.test('a blank override counts as no override', async t => {
  for (const baseUrl of ['', '   ']) t.equal(resolve({ baseUrl }, platform), platform.production.baseUrl)
})

t.test('an override on an owned host or below one wins over the environment', async t => {
  const owned = ['https://market.test/svc', 'https://api.market.test/svc', 'https://a.b.MARKET.test:8443/svc']
  for (const baseUrl of owned) {
    t.equal(resolve({ baseUrl, environment: 'sandbox' }, platform), baseUrl)
  }
  t.equal(
    resolve({ baseUrl: 'https://api.market.test' }, { ...platform, ownedHosts: ['Market.Test'] }),
    'https://api.market.test'
  )
})

t.test('an override on any other host is refused, because the key would go there', async t => {
  const foreign = [
    'https://notmarket.test/svc',
    'https://market.test.evil.example/svc',
    'https://evil.example/market.test',
    'https://market.test@evil.example/',
    'https://evil.example#market.test',
    'https://market.test.',
    'https://evil.example?.market.test',
    'https://127.0.0.1/',
    'https://localhost/'
  ]

  for (const baseUrl of foreign) t.throws(() => resolve({ baseUrl }, platform), refused, baseUrl)
  t.throws(() => resolve({ baseUrl: 'https://market.test' }, { production: platform.production }), refused)
})

t.test('an override must be https', async t => {
  for (const baseUrl of ['http://api.market.test/svc', 'ftp://market.test', 'market.test/svc', 'javascript:alert(1)']) {
    t.throws(() => resolve({ baseUrl }, platform), refused, baseUrl)
  }
})

t.test('plain http may reach this machine when the operator lists its host as owned', async t => {
  const local = [
    ['127.0.0.1', 'http://127.0.0.1:4010/svc'],
    ['localhost', 'http://localhost:4010'],
    ['[::1]', 'http://[::1]:4010/svc']
  ] as const
  for (const [host, baseUrl] of local) {
    t.equal(resolve({ baseUrl }, { ...platform, ownedHosts: [host] }), baseUrl)
    t.throws(() => resolve({ baseUrl }, platform), refused, baseUrl)
  }
  for (const baseUrl of ['http://evil.localhost/', 'ftp://localhost/']) {
    t.throws(() => resolve({ baseUrl }, { ownedHosts: ['localhost'] }), refused, baseUrl)
  }
})

t.test('the address of a config is checked before it is stored', async t => {
  const platform = { ownedHosts: ['market.test'] }

  for (const config of [{}, { baseUrl: '' }, { baseUrl: ' ' }, { baseUrl: 'https://api.market.test' }]) {
    t.strictSame(checkConfig(config, { platform }), [], JSON.stringify(config))
  }
  for (const baseUrl of ['market.test', 'http://market.test', 'https://evil.test', 'https://a:b@market.test']) {
    t.match(checkConfig({ baseUrl }, { platform }), [{ pointer: '/baseUrl', code: 'invalid' }], baseUrl)
  }
})

t.test('the error names an address that the operator has not set', async t => {
  t.throws(() => resolve({}, {}), { ...refused, message: /platforms\.mktb\.production\.baseUrl/ })
  t.throws(() => resolve({ environment: 'sandbox' }, { production: platform.production }), {
    ...refused,
    message: /platforms\.mktb\.sandbox\.baseUrl/
  })
  t.throws(() => resolve({}, { ...platform, ownedHosts: 'market.test' }), {
    ...refused,
    message: /platforms\.mktb\.ownedHosts/
  })
})
