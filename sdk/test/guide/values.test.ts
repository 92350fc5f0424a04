import { defineAdapter, type Context, type HttpClient, type JobDefinition } from '@linker/sdk'
import { createTestHost } from '@linker/sdk/testing'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { startUpstream } from '../http/support.ts'
import { codeOf, importExample, manifest } from './guide.ts'

interface Code {
  readCategories(client: HttpClient, context: Context): Promise<Record<string, string>>
  followChanges: JobDefinition<HttpClient, unknown, unknown>
}

/** A connection to an adapter that consists of the example. */
async function open (t: Test, { readCategories, followChanges }: Code) {
  const upstream = await startUpstream(t, ({ url = '' }, response) => {
    const answers: Record<string, object> = {
      '/categories': { 7: 'Lamps' },
      '/changes': { articles: ['27', '28'], position: 'p1' },
      '/changes?after=p1': { articles: [], position: 'p1' }
    }
    const answer = answers[url]
    response.writeHead(answer === undefined ? 503 : 200).end(JSON.stringify(answer ?? {}))
  })
  const host = createTestHost()
  t.teardown(() => host.close())
  const feedshop = await host.open({
    manifest: { ...manifest, capabilities: ['acme/Categories'] },
    definition: defineAdapter({
      config: Type.Object({ baseUrl: Type.String() }),
      credentials: Type.Null(),
      connect: ({ http, config }): HttpClient => http({ baseUrl: config.baseUrl }),
      account: async () => ({ id: '1', name: 'Test' }),
      capabilities: {
        'acme/Categories': (client, context) => ({ read: () => readCategories(client, context) })
      },
      jobs: { 'feedshop.changes.follow': followChanges }
    }),
    config: { baseUrl: upstream.baseUrl },
    credentials: null
  })
  return { host, feedshop, upstream }
}

t.test('the categories of the example are read once an hour', async t => {
  const { host, feedshop, upstream } = await open(t, await importExample(t, codeOf('docs/values.md')) as Code)
  const read = () => feedshop.call({ kind: 'capability', capability: 'acme/Categories', method: 'read' })

  t.strictSame(await read(), { 7: 'Lamps' })
  t.strictSame(await read(), { 7: 'Lamps' })
  t.equal(upstream.requests.length, 1)
  host.clock.advance(3_600_000)
  await read()
  t.equal(upstream.requests.length, 2)
})

t.test('the job of the example follows the feed from the position that its last run has stored', async t => {
  const { host, feedshop } = await open(t, await importExample(t, codeOf('docs/values.md')) as Code)

  const first = await feedshop.run('feedshop.changes.follow', {})
  const second = await feedshop.run('feedshop.changes.follow', {})

  t.strictSame([first, second], [{ result: { changed: 2 } }, { result: { changed: 0 } }])
  t.strictSame(host.cursors, { [feedshop.id]: { changes: 'p1' } })
  t.match(host.jobs, [
    { jobType: 'feedshop.stock.refresh', payload: { externalId: '27' }, key: '27:p1' },
    { jobType: 'feedshop.stock.refresh', payload: { externalId: '28' }, key: '28:p1' }
  ])
})
