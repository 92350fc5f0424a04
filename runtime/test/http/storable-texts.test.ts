import { Type } from '@sinclair/typebox'
import t from 'tap'
import storableTexts from '../../src/http/storable-texts.ts'
import { authorized, buildHttpApp } from './support.ts'

const { app } = await buildHttpApp(t, {
  async routes (app) {
    await app.register(storableTexts)
    const schema = { querystring: Type.Object({ actor: Type.Optional(Type.String()) }) }
    const echo = async ({ params, query }: { params: unknown, query: unknown }) => ({ params, query })
    app.get('/changes/:object', { config: { scope: 'read' }, schema }, echo)
    app.get('/open/:object', { config: { scope: 'public' } }, echo)
  }
})

for (
  const [url, pointer] of [
    ['/changes/a?actor=b%00c', '/querystring/actor'],
    ['/changes/a%00b', '/params/object']
  ]
) {
  t.test(`a NUL character is refused in ${pointer}`, async t => {
    const answer = await app.inject({ url: url ?? '', headers: authorized })

    t.equal(answer.statusCode, 400)
    t.match(answer.json(), { code: 'LNK_REQUEST_INVALID', detail: /NUL/, errors: [{ pointer }] })
  })
}

t.test('who may not ask is told that first, and a route without a token gets the text', async t => {
  t.equal((await app.inject('/changes/a%00b')).statusCode, 401)
  t.match((await app.inject('/open/a%00b?c=%00')).json(), { params: { object: 'a\u0000b' }, query: { c: '\u0000' } })
})
