import fp from 'fastify-plugin'
import { join } from 'node:path'
import t from 'tap'
import listRoutes from '../../src/adapter-routes/list-routes.ts'
import type { Adapters } from '../../src/adapters/adapters.ts'
import type { AdapterRecord } from '../../src/adapters/load.ts'
import { createRegistry } from '../../src/adapters/registry.ts'
import { fakeAdapter } from '../connections/support.ts'
import { authorized, buildHttpApp } from '../http/support.ts'

t.test('the icon and the changelog of a version are served, also when it does not serve', async t => {
  const icon = { type: 'image/png', bytes: Buffer.from('89504e47', 'hex'), etag: '"a-tag"' } as const
  const directory = t.testdir({ 'CHANGELOG.md': '# 1.0.0 <b>é</b>\n', other: {} })
  const adapter = { ...fakeAdapter(), icon, directory }
  const failed = { ...fakeAdapter({ version: '2.0.0' }), icon, directory: join(directory, 'other') }
  const records: AdapterRecord[] = [
    { packageName: 'feed', isRequired: false, found: adapter, adapter },
    {
      packageName: 'feed-next',
      isRequired: false,
      found: failed,
      problem: { state: 'invalid', code: 'LNK_ADAPTER_SHAPE_INVALID', message: 'no default export' }
    }
  ]
  const { app } = await buildHttpApp(t)
  await app.register(fp(async scope => {
    scope.decorate('adapters', { registry: createRegistry(records, new Map()) } as Partial<Adapters> as Adapters)
  }, { name: 'adapters' }))
  await app.register(listRoutes)
  const get = (path: string, headers = {}) =>
    app.inject({ url: `/adapters/feed.api.v1/versions/${path}`, headers: { ...authorized, ...headers } })

  const served = await get('latest/icon')
  t.match([served.statusCode, served.headers, served.rawPayload], [
    200,
    { 'content-type': 'image/png', 'content-security-policy': "default-src 'none'; sandbox", etag: '"a-tag"' },
    icon.bytes
  ])
  t.equal((await get('2.0.0/icon')).statusCode, 200)
  t.equal((await get('3.0.0/icon')).json().code, 'LNK_NOT_FOUND')
  const tags = ['"a-tag"', 'W/"a-tag"', '"another"']
  const statuses = await Promise.all(tags.map(tag => get('1.0.0/icon', { 'if-none-match': tag })))
  t.strictSame(statuses.map(({ statusCode, body }) => [statusCode, body !== '']), [[304, false], [304, false], [
    200,
    true
  ]])

  const changelog = await get('1.0.0/changelog')
  t.strictSame([changelog.statusCode, changelog.headers['content-type'], changelog.body], [
    200,
    'text/plain; charset=utf-8',
    '# 1.0.0 <b>é</b>\n'
  ])
  t.equal((await get('2.0.0/changelog')).json().code, 'LNK_NOT_FOUND')
})
