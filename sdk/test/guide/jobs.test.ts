import { defineAdapter, HubJobType, type HttpClient, type JobDefinition, type ScheduleDefinition } from '@linker/sdk'
import { checkAdapter, describeAdapter } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { startUpstream } from '../http/support.ts'
import { codeOf, createContext, importExample, manifest, readPage } from './guide.ts'

const page = 'docs/jobs.md'

t.test('the job answers with the stock that it found, and with none when it is unknown', async t => {
  const { refreshStock } = await importExample(t, codeOf(page)) as {
    refreshStock: JobDefinition<HttpClient, unknown, unknown>
  }
  const upstream = await startUpstream(
    t,
    (request, response) => response.end(request.url === '/stock/27' ? '{"quantity":0}' : '{}')
  )
  const context = createContext(t, upstream.baseUrl)
  const client = context.http({ baseUrl: upstream.baseUrl })
  const run = (externalId: string) =>
    refreshStock.run(client, { id: 'job-1', type: 'feedshop.stock.refresh', payload: { externalId } }, context)

  t.strictSame(await run('27'), {
    stock: [{ productExternalId: '27', variantExternalId: '27', quantity: 0 }],
    result: { found: 1 }
  })
  t.strictSame(await run('28'), { stock: [], result: { found: 0 } })
})

t.test('the permissions in the text permit the schedules of the example', async t => {
  const { schedules } = await importExample(t, codeOf(page, 'ts', 1)) as { schedules: ScheduleDefinition[] }
  const [, permissions = ''] = /`"permissions": (\{.*?\})`/.exec(readPage(page)) ?? []
  const definition = defineAdapter({
    config: Type.Object({}),
    credentials: Type.Null(),
    connect: () => undefined,
    account: async () => ({ id: '1', name: 'Test' }),
    capabilities: {},
    schedules
  })

  t.ok(schedules.length > 1)
  t.strictSame(
    checkAdapter({ ...manifest, capabilities: [], permissions: JSON.parse(permissions) }, describeAdapter(definition)),
    []
  )
})

t.test('the page names every job of the hub, with its constant', t => {
  const text = readPage(page)

  for (const [name, type] of Object.entries(HubJobType)) {
    t.ok(text.includes(`\`${name}\``) && text.includes(`\`${type}\``), name)
  }
  t.end()
})
