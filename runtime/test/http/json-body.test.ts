import { Type } from '@sinclair/typebox'
import t from 'tap'
import jsonBody from '../../src/http/json-body.ts'
import { authorized, buildHttpApp } from './support.ts'

const { app } = await buildHttpApp(t, {
  async routes (app) {
    await app.register(jsonBody)
    const echo = async ({ body }: { body: unknown }) => ({ body })
    const config = { scope: 'admin' as const }
    app.post('/echo', { config, schema: { body: Type.Unknown() } }, echo)
    app.patch('/echo', { config }, echo)
    app.post('/without', { config }, echo)
    app.post('/number', { config, schema: { body: Type.Object({ id: Type.Integer() }) } }, echo)
    app.post('/optional', {
      config: { ...config, allowsNoBody: true },
      schema: { body: Type.Object({ a: Type.Optional(Type.Null()) }, { additionalProperties: false }) }
    }, echo)
  }
})

async function send (payload: string | Buffer, { method = 'POST', path = '/echo', type = 'application/json' } = {}) {
  const response = await app.inject({
    method: method === 'PATCH' ? 'PATCH' : 'POST',
    url: path,
    payload,
    headers: { ...authorized, 'content-type': type }
  })
  return { status: response.statusCode, ...response.json() as { body?: unknown, code?: string, detail?: string } }
}

for (
  const [what, payload] of Object.entries({
    'Latin-1': Buffer.from('{"name":"Z\u00fcrich"}', 'latin1'),
    'a byte order mark': '\ufeff{"name":"a"}',
    '__proto__': '{"__proto__":{"isAdmin":true}}',
    'a constructor with a prototype': '{"constructor":{"prototype":{}}}',
    'a NUL character': '{"name":"a\\u0000"}',
    'half of a surrogate pair': '{"name":"\\ud800"}',
    'a number that JavaScript cannot hold': '{"price":1e999}',
    'a body that ends early': '{"name":'
  })
) {
  t.test(`${what} is refused`, async t => {
    t.match(await send(payload), { status: 400, code: 'LNK_REQUEST_INVALID' })
  })
}

t.test('a number that JavaScript would round keeps its digits, and a schema that asks for one refuses it', async t => {
  t.match(await send('{"id":9007199254740993}'), { status: 200, body: { id: '9007199254740993' } })
  t.match(await send('{"id":9007199254740993}', { path: '/number' }), { status: 400, code: 'LNK_REQUEST_INVALID' })
})

t.test('a refusal quotes nothing of the body, which may hold a secret', async t => {
  const { detail } = await send('{"apiKey":"canary-1" canary-2')

  t.notMatch(detail, /canary/)
  t.match(detail, /position \d+/)
})

t.test('a body is taken as it is', async t => {
  const value = { 'a~/b': [1, null, true, 'Zürich 😀'], constructor: 'a word' }

  t.strictSame(await send(JSON.stringify(value)), { status: 200, body: value })
})

t.test('an empty body is refused only where a route needs one', async t => {
  t.match(await send(''), { status: 400, code: 'LNK_REQUEST_INVALID' })
  t.match(await send('', { path: '/without' }), { status: 200 })
})

t.test('a route that allows no body takes an empty one for {}', async t => {
  const absent = await app.inject({ method: 'POST', url: '/optional', headers: authorized })

  t.match(absent.json(), { body: {} })
  t.match(await send('', { path: '/optional' }), { status: 200, body: {} })
  t.match(await send('{"a":null}', { path: '/optional' }), { status: 200, body: { a: null } })
  t.match(await send('null', { path: '/optional' }), { status: 400, code: 'LNK_REQUEST_INVALID' })
  t.match(await send('{"b":1}', { path: '/optional' }), { status: 400, code: 'LNK_REQUEST_INVALID' })
})

t.test('a merge patch is a PATCH and nothing else', async t => {
  const type = 'Application/Merge-Patch+JSON; charset=utf-8'

  t.match(await send('{"a":null}', { method: 'PATCH', type }), { status: 200, body: { a: null } })
  t.match(await send('{"a":null}', { type }), { status: 415, code: 'LNK_MEDIA_TYPE_UNSUPPORTED' })
  t.match(await send('{}', { type: 'text/plain' }), { status: 415 })
})
