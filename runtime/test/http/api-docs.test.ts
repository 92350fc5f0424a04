import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { serveDocs } from '../../src/http/api-docs.ts'
import { buildHttpApp, parseRaw, sendRaw } from './support.ts'

const get = (connection: string): string => `GET /api/docs HTTP/1.1\r\nHost: hub\r\nConnection: ${connection}\r\n\r\n`

/** Makes a server with the pages. `onRequest` is called when a request arrives. */
async function buildWithDocs (t: Test, onRequest: () => void = () => undefined): Promise<FastifyInstance> {
  const { app } = await buildHttpApp(t, {
    routes (scope) {
      scope.addHook('onRequest', async () => onRequest())
      serveDocs(scope, async () => '{"openapi":"3.1.0"}')
    }
  })
  return app
}

t.test('a fault of the pages is a problem of the hub and a line in its log', async t => {
  async function describe (): Promise<string> {
    throw new Error('the document is not there')
  }
  const { app, log } = await buildHttpApp(t, { routes: scope => serveDocs(scope, describe) })
  const answer = await app.inject('/api/docs/json')

  t.equal(answer.statusCode, 500)
  t.match(answer.json(), { code: 'LNK_INTERNAL' })
  t.match(log.filter(({ level }) => level >= 50), [{ err: { message: /the document is not there/ } }])
})

t.test('the connection is kept or closed as the client asked', async t => {
  const app = await buildWithDocs(t)
  const both = await sendRaw(app, [get('keep-alive'), get('close')], { isHeldOpen: true })
  const second = both.slice(both.lastIndexOf('HTTP/1.1 200'))

  t.match(parseRaw(both), { status: 200, headers: /connection: keep-alive/i })
  t.match(parseRaw(second), { status: 200, headers: /connection: close/i, body: /swagger-ui/ })
})

t.test('a client that goes away while the pages load harms nobody', async t => {
  const app = await buildWithDocs(t)
  t.equal(await sendRaw(app, [get('close')]), '')

  t.match(parseRaw(await sendRaw(app, [get('close')], { isHeldOpen: true })), { status: 200, body: /swagger-ui/ })
})

t.test('a hub that stops while it loads the pages answers first', async t => {
  const arrived = Promise.withResolvers<void>()
  const app = await buildWithDocs(t, arrived.resolve)
  const answer = sendRaw(app, [get('close')], { isHeldOpen: true })
  await arrived.promise
  await app.close()

  t.match(parseRaw(await answer), { status: 200, body: /swagger-ui/ })
})

t.test('the document is the text that the hub keeps, and there is none in YAML', async t => {
  // Spaces, which a writer of JSON leaves out, show that nobody parsed the text.
  const kept = '{ "openapi": "3.1.0" }'
  const { app } = await buildHttpApp(t, { routes: scope => serveDocs(scope, async () => kept) })
  for (const path of ['/api/docs/json', '/api/docs/%6Ason']) t.equal((await app.inject(path)).body, kept, path)
  for (const path of ['/api/docs/yaml', '/api/docs/%79aml']) t.equal((await app.inject(path)).statusCode, 404, path)
})
