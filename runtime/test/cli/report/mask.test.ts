import t from 'tap'
import { createMask, secretsOf } from '../../../src/cli/report/mask.ts'

t.test('a secret is hidden in each form that it may have', async t => {
  const secret = 'canary "7" of/the+shop'
  const mask = createMask([secret], '/home/anna')
  const forms = [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('hex'),
    JSON.stringify(secret).slice(1, -1)
  ]
  for (const form of forms) t.equal(mask(`before ${form} after`), 'before [redacted] after')
})

t.test('a secret within another one does not uncover the rest of it', async t => {
  t.equal(createMask(['canary', 'canary-and-more'], '')('x canary-and-more y'), 'x [redacted] y')
})

t.test('passwords in addresses, tokens in headers, e-mails and the home directory are hidden', async t => {
  const mask = createMask([], '/home/anna')
  t.equal(mask('postgres://hub:pass@db/linker'), 'postgres://[redacted]@db/linker')
  t.equal(mask('Authorization: Bearer abcdef1234567890=='), 'Authorization: Bearer [redacted]')
  t.equal(mask('order of anna.b+shop@example.co.uk failed'), 'order of [redacted] failed')
  t.equal(mask('/home/anna/shop/.linker'), '~/shop/.linker')
})

t.test('what is no secret stays', async t => {
  const mask = createMask(['abc'], '/')
  for (const text of ['shop.v1@1.0.0-rc.1', '@linker/adapter-x', 'https://hub.example/path', 'abc', '/etc/linker']) {
    t.equal(mask(text), text)
  }
})

t.test('the environment has keys, tokens and the passwords of servers', async t => {
  const secrets = secretsOf({
    ADMIN_TOKEN: 'admin-token',
    LINKER_CREDENTIALS_KEY: 'k2:bmV3,k1:b2xk',
    LINKER_WEBHOOK_SECRET__SHOP: 'webhook-secret',
    DATABASE_URL: 'postgres://hub:p%40ss@db/linker',
    REDIS_URL: 'redis+sentinel://hub:of-redis@one:1,two:2/main?sentinelPassword=of-sentinels',
    OTHER_URL: 'smtp://u:half%@mail',
    COMMA_URL: 'postgresql://u:a,bcd@host/db',
    COMMAS_URL: 'redis+sentinel://:pa,ss@h1,h2/name',
    PORT: '3000'
  })
  for (
    const secret of [
      'admin-token',
      'bmV3',
      'b2xk',
      'webhook-secret',
      'p%40ss',
      'p@ss',
      'half%',
      'of-redis',
      'of-sentinels',
      'a,bcd',
      'pa,ss'
    ]
  ) {
    t.ok(secrets.includes(secret), secret)
  }
  t.notOk(secrets.includes('3000'))
})
