import t from 'tap'
import { collectSecrets, createAnswerRedactor, createCallSecrets, createValueRedactor } from '../../src/host/redact.ts'

const secret = 'canary-7f3a9c'

t.test('a secret is replaced wherever it stands', async t => {
  const redact = createValueRedactor([secret])
  const error = new Error(`refused key ${secret}`)

  const seen = JSON.stringify(redact({ text: `key=${secret}`, list: [secret], nested: { deep: { value: secret } } }))
  const redacted = redact(error) as Error

  t.notMatch(seen, secret)
  t.notMatch(redacted.message + redacted.stack, secret)
})

t.test('encoded forms of a secret are replaced too', async t => {
  const redact = createValueRedactor([secret])

  t.notMatch(
    String(redact(`Basic ${Buffer.from(`${secret}:`).toString('base64')}`)),
    Buffer.from(`${secret}:`).toString('base64')
  )
  t.notMatch(String(createValueRedactor(['a/b+c d'])(encodeURIComponent('a/b+c d'))), encodeURIComponent('a/b+c d'))
})

t.test('short values are not redacted: this would blacken ordinary text', async t => {
  t.equal(createValueRedactor(['1', 'ab'])('page 1 of ab'), 'page 1 of ab')
})

t.test('the members that the schema marks are secrets, every string when it marks none', async t => {
  const credentials = { url: 'https://shop.test', apiKey: 'a', nested: { token: 'b' }, list: ['c', 4, null] }

  t.strictSame(
    collectSecrets({ properties: { url: {}, apiKey: { secret: true }, nested: { secret: true } } }, credentials),
    ['a', 'b']
  )
  t.strictSame(collectSecrets({ properties: { url: {} } }, credentials), ['https://shop.test', 'a', 'b', 'c'])
})

t.test('secrets in names of members are replaced', async t => {
  t.strictSame(createValueRedactor([secret])({ [secret]: 1, nested: { [`x-${secret}`]: 2 } }), {
    '[redacted]': 1,
    nested: { 'x-[redacted]': 2 }
  })
})

t.test('a secret is replaced in hexadecimal digits, base64url and within JSON that a text quotes', async t => {
  const odd = 'a"b\\c~~?>d'
  const redact = createValueRedactor([odd])

  for (
    const form of [
      Buffer.from(odd).toString('hex'),
      Buffer.from(odd).toString('base64url'),
      JSON.stringify({ odd }).slice(8, -2)
    ]
  ) t.equal(redact(`<${form}>`), '<[redacted]>', form)
})

t.test('an answer keeps its form and is redacted a thousand levels deep, without omissions', async t => {
  let deep: unknown = secret
  for (let level = 0; level < 100; level += 1) deep = [deep]
  const redact = createAnswerRedactor([secret])

  t.equal(JSON.stringify(redact(deep)), `${'['.repeat(100)}"[redacted]"${']'.repeat(100)}`)
  for (let level = 0; level < 20_000; level += 1) deep = [deep]
  t.equal(
    JSON.stringify(redact(deep)),
    `${'['.repeat(1_000)}"[deep]"${']'.repeat(1_000)}`,
    'what would use up the stack is cut'
  )
  t.strictSame(redact({ [secret]: [1, null, true, secret], date: new Date(0) }), {
    '[redacted]': [1, null, true, '[redacted]'],
    date: new Date(0)
  })
  t.strictSame(
    redact(JSON.parse(`{"__proto__":{"polluted":"${secret}"}}`)),
    JSON.parse('{"__proto__":{"polluted":"[redacted]"}}')
  )
  t.equal(({} as { polluted?: unknown }).polluted, undefined)
})

t.test('an answer that holds one object many times, or itself, is copied once', async t => {
  let shared: unknown = { secret }
  for (let level = 0; level < 60; level += 1) shared = [shared, shared]
  const own: Record<string, unknown> = { secret }
  own.own = own
  const redact = createAnswerRedactor([secret])

  t.type(redact(shared), 'object', 'two to the power of sixty copies would never end')
  const copy = redact(own) as typeof own
  t.equal(copy.own, copy)
  t.equal(copy.secret, '[redacted]')
})

t.test('an answer without a secret is the same object', async t => {
  const answer = { text: 'abc' }

  t.equal(createAnswerRedactor([])(answer), answer)
  t.equal(createAnswerRedactor(['abc'])(answer), answer, 'what is too short to be a secret')
})

t.test('the answer of a route omits only the marked values of its request', async t => {
  const secrets = createCallSecrets()
  secrets.add({ state: 'a-state-of-the-flow' })
  secrets.addMarked([secret])

  t.strictSame(secrets.redactAnswer({ url: '/?state=a-state-of-the-flow', secret }), {
    url: '/?state=a-state-of-the-flow',
    secret: '[redacted]'
  })
})
