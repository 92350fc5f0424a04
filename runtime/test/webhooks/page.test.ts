import { signWebhook, webhookBodyLimitBytes } from '@linker/sdk'
import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import t from 'tap'
import * as errors from '../../src/errors.ts'
import { objectTypeOf } from '../../src/events/event-to-job.ts'
import { WebhookBody } from '../../src/webhooks/body.ts'
import { remedies } from '../../src/webhooks/refusals/remedies.ts'

const page = await readFile(new URL('../../WEBHOOKS.md', import.meta.url), 'utf8')
const chapter = (heading: string): string => (page.split(`\n## ${heading}\n`)[1] ?? '').split('\n## ')[0] ?? ''

t.test('the test vectors are signed as the hub verifies', async t => {
  const vectors = [...page.matchAll(/^secret {5}(.+)\ntimestamp {2}(.+)\nbody {7}(.+)\nsignature {2}(.+)$/gm)]
  for (const [, secret = '', timestamp = '', body = '', signature] of vectors) {
    const digest = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
    t.equal(signature, `sha256=${digest}`)
    t.equal(signature, signWebhook(secret, timestamp, body))
  }
  t.equal(vectors.length, 2)
})

t.test('the request that the page shows is signed with the secret of the first vector', async t => {
  const request = /X-Linker-Timestamp: (\d+)\nX-Linker-Signature: (\S+)\n\n(.+)\n/.exec(chapter('Request')) ?? []
  const [, timestamp = '', signature, body = ''] = request

  t.equal(signature, signWebhook('linker-test-secret', timestamp, body))
})

t.test('the page tells the status of every code with which the hub refuses a delivery', async t => {
  const listed =
    new Map([...chapter('Answers').matchAll(/^\| (\d{3}) \| `(LNK_\w+)` \|/gm)].map(([, status, code = '']) =>
      [code, Number(status)] as const
    ))
  const statuses = new Map<
    string,
    number | undefined
  >(Object.values(errors).map(make => make()).map(({ code, statusCode }) => [code, statusCode]))

  t.ok(listed.size > 10)
  for (const [code, status] of listed) t.equal(status, statuses.get(code), code)
  t.strictSame(Object.keys(remedies).filter(code => !listed.has(code)), [])
})

t.test('the page tells the object of each event type, as the test address expects it', async t => {
  const listed = [...chapter('Body').matchAll(/^\| `(\w+\.\w+)` \| `(\w+)` \|/gm)]

  t.ok(listed.length > 3)
  for (const [, eventType = '', type] of listed) t.equal(type, objectTypeOf(eventType), eventType)
})

t.test('the page lists the members of the body, and the limit of its size', async t => {
  const listed = [...chapter('Body').matchAll(/^\| `([\w.]+)` \| (?:string|integer|object), (required|optional) \|/gm)]
    .map(([, name = '', need]) => `${name.split('.')[0]} ${need}`)
  const needed = new Set<string>(WebhookBody.required)
  const expected = Object.keys(WebhookBody.properties).map(name =>
    `${name} ${needed.has(name) ? 'required' : 'optional'}`
  )

  t.strictSame([...new Set(listed)], expected)
  t.equal(webhookBodyLimitBytes, 262_144)
  t.match(chapter('Request'), 'at most 262 144 bytes')
})
