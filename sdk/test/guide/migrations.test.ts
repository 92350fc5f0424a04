import { defineAdapter, type ConfigMigration } from '@linker/sdk'
import { describeAdapter } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { codeOf, importExample } from './guide.ts'

t.test('the migration of the example leads to the new config and back, and keeps other members', async t => {
  const { migrations } = await importExample(t, codeOf('docs/migrations.md')) as { migrations: ConfigMigration[] }
  const [{ up, down } = { up: undefined, down: undefined }] = migrations
  const before = { baseUrl: 'https://api.feedshop.eu', channel: 3 }
  const description = describeAdapter(defineAdapter({
    config: Type.Object({}),
    credentials: Type.Null(),
    connect: () => undefined,
    account: async () => ({ id: '1', name: 'Test' }),
    capabilities: {},
    migrations
  }))

  t.strictSame(up?.(before), { region: 'eu', channel: 3 })
  t.strictSame(down?.({ region: 'eu', channel: 3 }), before)
  t.strictSame(description.migrations, [{ from: 'feedshop.api.v1@<2.0.0', to: '2.0.0', isReversible: true }])
})
