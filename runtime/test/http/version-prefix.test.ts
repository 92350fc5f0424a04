import type { FastifyInstance } from 'fastify'
import t from 'tap'
import versionPrefix, { withoutVersionPrefix } from '../../src/http/version-prefix.ts'
import { buildHttpApp } from './support.ts'

const routes = (app: FastifyInstance): void => {
  app.get('/open', { config: { scope: 'public' } }, async () => 'open')
}

t.test('every path works at the root and below /v1', async t => {
  const { app } = await buildHttpApp(t, { routes })
  for (const url of ['/open', '/v1/open', '/v1/open?a=1']) t.equal((await app.inject(url)).statusCode, 200, url)
  for (const url of ['/v1', '/v1/v1/open', '/v10/open', '/v2/open']) {
    t.equal((await app.inject(url)).statusCode, 404, url)
  }
  t.strictSame(['/v1', '/v1/', '/v1?a=1', '/v1/a?b', '/v11', '/'].map(url => withoutVersionPrefix({ url })), [
    '/',
    '/',
    '/?a=1',
    '/a?b',
    '/v11',
    '/'
  ])
})

t.test('addresses in headers stay below the prefix of the request', async t => {
  const { app } = await buildHttpApp(t)
  await app.register(versionPrefix)
  app.get(
    '/made',
    { config: { scope: 'public' } },
    async (_request, reply) =>
      reply.headers({ location: '/made/1', link: '</made?cursor=2>; rel="next", </made>; rel="first"' }).send('made')
  )
  app.get(
    '/elsewhere',
    { config: { scope: 'public' } },
    async (_request, reply) =>
      reply.headers({ location: '//feed.example/1', link: '<?cursor=2>; rel="next"' }).send('elsewhere')
  )
  app.get(
    '/page',
    { config: { scope: 'public' } },
    async (_request, reply) => reply.headers({ location: '/console/connections' }).send('page')
  )
  const ask = async (url: string) => {
    const { location, link } = (await app.inject(url)).headers
    return [location, link]
  }

  t.strictSame(await ask('/v1/made'), ['/v1/made/1', '</v1/made?cursor=2>; rel="next", </v1/made>; rel="first"'])
  t.strictSame(await ask('/made'), ['/made/1', '</made?cursor=2>; rel="next", </made>; rel="first"'])
  t.strictSame(await ask('/v1/elsewhere'), ['//feed.example/1', '<?cursor=2>; rel="next"'], 'not of the hub')
  t.strictSame(await ask('/v1/page'), ['/console/connections', undefined], 'a page of the console')
})
