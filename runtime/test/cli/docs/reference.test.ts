import { defineAdapter } from '@linker/sdk'
import { describeAdapter } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { referenceOf } from '../../../src/cli/docs/reference.ts'

const manifest = {
  adapterKey: 'feedshop.api.v1',
  platformType: 'feedshop',
  displayName: 'Feedshop',
  capabilities: ['ProductMaster'],
  permissions: { http: ['${config.baseUrl}'], jobs: ['feedshop.*'] }
}

t.test('each part of an adapter has its table, and parts that it lacks have none', async t => {
  const adapter = defineAdapter({
    config: Type.Object({ baseUrl: Type.String({ description: 'a | b\n<c>' }) }),
    credentials: Type.Object({ apiKey: Type.String({ secret: true }) }),
    connect: () => ({}),
    account: async () => ({ id: '1', name: 'Test' }),
    capabilities: {
      ProductMaster: () => ({
        getProduct: async () => ({ externalId: '1', name: 'a', isActive: true, variants: [] }),
        listProducts: async () => ({ items: [] })
      })
    },
    jobs: { 'feedshop.look': { payload: Type.Object({ externalId: Type.String() }), run: async () => ({}) } },
    schedules: [{ name: 'feedshop-look', every: '5m', job: 'feedshop.look', payload: { externalId: '1' } }],
    budget: { ratePerSecond: 2, burst: 5 }
  })
  const written = referenceOf({ manifest, ranges: {}, description: describeAdapter(adapter) })

  t.equal(
    written,
    `### Config

| Member | Value | Default | Meaning |
|---|---|---|---|
| \`baseUrl\` | text | required | a \\| b &lt;c> |

### Credentials

| Member | Value | Default | Meaning |
|---|---|---|---|
| \`apiKey\` | text | required | secret |

### Capabilities

| Capability | Methods |
|---|---|
| \`ProductMaster\` | \`getProduct\`, \`listProducts\` |

### Jobs

| Job | Payload |
|---|---|
| \`feedshop.look\` | \`externalId\` |

### Schedules

| Schedule | Every | Job |
|---|---|---|
| \`feedshop-look\` | 5m | \`feedshop.look\` |

### Permissions

| May | What |
|---|---|
| send requests to | \`\${config.baseUrl}\` |
| define, schedule or enqueue | \`feedshop.*\` |
| send at most | 2 requests a second, 5 at once |`
  )
})
