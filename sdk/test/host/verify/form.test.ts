import { defineAdapter, type WebhookHmac, type WebhookVerification } from '@linker/sdk'
import { describeAdapter } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import t from 'tap'

const hmac: WebhookHmac = {
  kind: 'hmac',
  algorithm: 'sha256',
  encoding: 'hex',
  signature: { header: 'x-signature', prefix: 'v0=' },
  timestamp: { header: 'x-time', unit: 's', skewMs: 60_000 },
  signed: [{ text: 'v0:' }, 'timestamp', 'method', 'url', { header: 'x-id' }, 'body'],
  secret: { encoding: 'base64', prefix: 'whsec_' }
}

const describe = (verify: unknown) =>
  describeAdapter(defineAdapter({
    config: Type.Object({}),
    credentials: Type.Null(),
    connect: () => undefined,
    account: async () => ({ id: '1', name: 'Test' }),
    capabilities: {},
    webhooks: { verify: verify as WebhookVerification }
  }))

const good: WebhookVerification[] = [
  hmac,
  {
    ...hmac,
    signature: { header: 'x-time', pair: { name: 'v1' } },
    timestamp: { header: 'x-time', pair: { name: 't' }, unit: 'ms' }
  },
  { ...hmac, signature: { header: 'authorization', prefix: 'HMAC ' } },
  { kind: 'bearer', header: 'authorization', word: 'Bearer' },
  { kind: 'basic' },
  { kind: 'basic', user: 'feed' },
  { kind: 'query', parameter: 'token' },
  {
    kind: 'jwt',
    header: 'authorization',
    word: 'Bearer',
    skewMs: 1_000,
    bodyHash: { claim: 'hash', algorithm: 'sha256', encoding: 'hex' }
  }
]

for (const declared of good) {
  t.test(`${declared.kind} with every member is described as a copy`, async t => {
    t.strictSame(describe(declared).webhooks?.verify, declared)
    t.not(describe(declared).webhooks?.verify, declared)
  })
}

t.test('a function is described without its code, and gets the address', async t => {
  const described = describe({ kind: 'function', isGenuine: () => true })

  t.strictSame(described.webhooks?.verify, { kind: 'function' })
  t.ok('callbackBaseUrl' in (described.config as { properties: object }).properties)
  t.throws(() => describe({ kind: 'function' }), /verify\.isGenuine is missing: a function is allowed/)
  t.throws(() => describe({ kind: 'function', isGenuine: () => true, header: 'x' }), /unknown member 'header'/)
})

t.test('a connection whose platform signs the address may name the public address of the hub', async t => {
  const has = (verify: WebhookVerification): boolean =>
    'callbackBaseUrl' in (describe(verify).config as { properties: object }).properties

  t.ok(has(hmac))
  t.notOk(has({ ...hmac, signed: ['timestamp', 'body'] }))
})

const faults: [unknown, RegExp][] = [
  ['hmac', /^its webhooks\.verify is 'hmac': an object is allowed$/],
  [
    { kind: 'rsa' },
    /^its webhooks\.verify\.kind is 'rsa': 'hmac' or 'bearer' or 'basic' or 'query' or 'jwt' or 'function' is allowed$/
  ],
  [{ ...hmac, header: 'x' }, /verify has an unknown member 'header'/],
  [{ ...hmac, algorithm: 'md5' }, /verify\.algorithm is 'md5'/],
  [{ ...hmac, encoding: 'utf8' }, /verify\.encoding is 'utf8'/],
  [{ ...hmac, signature: undefined }, /verify\.signature is missing/],
  [
    { ...hmac, signature: { header: 'x signature' } },
    /verify\.signature\.header is 'x signature': the name of a header/
  ],
  [{ ...hmac, signature: { header: '' } }, /verify\.signature\.header/],
  [{ ...hmac, signature: { header: 'x', prefix: '' } }, /verify\.signature\.prefix/],
  [{ ...hmac, signature: { header: 'x', pair: { name: 'v1', separator: '=' } } }, /signature\.pair\.separator is '='/],
  [
    { ...hmac, signature: { header: 'x', pair: { name: 'v1', assignment: ',' } } },
    /signature\.pair has the same separator and assignment/
  ],
  [{ ...hmac, signature: { header: 'x', pair: { name: 'v=1' } } }, /signature\.pair\.name 'v=1' contains/],
  [{ ...hmac, signed: undefined }, /verify\.signed is missing: an array/],
  [{ ...hmac, signed: [] }, /verify\.signed lacks 'body'.*verify\.signed lacks 'timestamp'/],
  [{ ...hmac, signature: { header: 'x-signature', prefix: ' v0=' } }, /prefix is ' v0=': .* begins with no blank/],
  [
    { ...hmac, signature: { header: 'x-signature', prefix: 'HMAC ', pair: { name: 'v1', separator: ' ' } } },
    /signature\.prefix contains the separator of the pair/
  ],
  [
    {
      ...hmac,
      signature: { header: 'x-time', pair: { name: 'v1' } },
      timestamp: { header: 'X-Time', pair: { name: 'v1' }, unit: 's' }
    },
    /verify\.timestamp has the header and the pair of the signature: their names must differ/
  ],
  [{ ...hmac, signed: ['timestamp', 'url'] }, /^its webhooks\.verify\.signed lacks 'body'/],
  [{ ...hmac, signed: ['body'] }, /^its webhooks\.verify\.signed lacks 'timestamp': anybody could change/],
  [{ ...hmac, timestamp: undefined }, /^its webhooks\.verify\.timestamp is missing: signed names 'timestamp'/],
  [{ ...hmac, signed: [...hmac.signed, 'host'] }, /verify\.signed\[6\] is 'host': 'body' or/],
  [{ ...hmac, signed: [...hmac.signed, { text: '' }] }, /verify\.signed\[6\]\.text/],
  [{ ...hmac, signed: [...hmac.signed, { header: 'a b' }] }, /verify\.signed\[6\]\.header/],
  [
    { ...hmac, signed: [...hmac.signed, { header: 'X-Signature' }] },
    /verify\.signed\[6\] is the header of the signature, which cannot sign itself/
  ],
  [{ ...hmac, timestamp: { header: 'X-Signature', unit: 's' } }, /verify\.timestamp is in the header of the signature/],
  [{ ...hmac, timestamp: { header: 'x', unit: 'h' } }, /verify\.timestamp\.unit is 'h'/],
  ...[0, 999, 86_400_001, 1.5, '5m'].map((skewMs): [unknown, RegExp] => [
    { ...hmac, timestamp: { header: 'x', unit: 's', skewMs } },
    /verify\.timestamp\.skewMs is .*a whole number of milliseconds from 1000 to 86400000/
  ]),
  [{ ...hmac, secret: { encoding: 'utf8' } }, /verify\.secret\.encoding/],
  [{ kind: 'bearer' }, /verify\.header is missing/],
  [{ kind: 'bearer', header: 'authorization', word: 'Bearer ' }, /verify\.word/],
  [{ kind: 'basic', user: 'a:b' }, /verify\.user is 'a:b': .*without a colon/],
  [{ kind: 'query', parameter: 'a&b' }, /verify\.parameter/],
  [{ kind: 'jwt', header: 'x', algorithm: 'none' }, /verify has an unknown member 'algorithm'/],
  [{ kind: 'jwt', header: 'x', bodyHash: { claim: 'hash', algorithm: 'md5', encoding: 'hex' } }, /bodyHash\.algorithm/]
]

for (const [declared, message] of faults) {
  t.test(`${JSON.stringify(declared).slice(0, 100)} is refused when the adapter loads`, async t => {
    t.throws(() => describe(declared), { code: 'LNK_ADAPTER_SHAPE_INVALID', message })
  })
}

t.test('the types refuse what can be seen without the hub', async t => {
  // @ts-expect-error the place of the signature is missing
  const placeless: WebhookVerification = { kind: 'hmac', algorithm: 'sha256', encoding: 'hex', signed: ['body'] }
  // @ts-expect-error MD5 is no algorithm for signatures
  const weak: WebhookVerification = { ...hmac, algorithm: 'md5' }
  // @ts-expect-error one of both authenticates
  const both: Parameters<typeof defineAdapter>[0]['webhooks'] = { scheme: 'hmac', verify: hmac }

  for (const verify of [placeless, weak]) t.throws(() => describe(verify))
  t.ok(both)
})
