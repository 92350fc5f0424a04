import { defineAdapter, type WebhookBodyForm } from '@linker/sdk'
import { describeAdapter, type WebhooksDescription } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import t from 'tap'

const form: WebhookBodyForm = { eventType: 'order.changed', objectType: 'order', externalId: '/id', revision: ['/status', ['/updated', '/a~1b']], occurredAt: ['/updated'] }

function describeWebhooks (webhooks: NonNullable<Parameters<typeof defineAdapter>[0]['webhooks']>): WebhooksDescription | undefined {
  return describeAdapter(defineAdapter({ config: Type.Object({}), credentials: Type.Null(), connect: () => undefined, capabilities: {}, webhooks })).webhooks
}

t.test('the form of foreign bodies is described as it was declared, and does not change with it', async t => {
  const declared = structuredClone(form)
  const described = describeWebhooks({ scheme: 'bearer', body: declared })
  declared.externalId = '/other'

  t.strictSame(described, { scheme: 'bearer', body: form, canInstall: false })
  t.match(describeWebhooks({ scheme: 'bearer', install: async () => undefined }), { canInstall: true, body: undefined })
})

t.test('a form that no body could be read with is refused', async t => {
  const refused = (change: Partial<WebhookBodyForm>): void => { t.throws(() => describeWebhooks({ scheme: 'bearer', body: { ...form, ...change } }), { code: 'LNK_ADAPTER_SHAPE_INVALID', message: /webhooks\.body/ }, JSON.stringify(change)) }

  for (const externalId of ['', 'id', '/a~2']) refused({ externalId })
  for (const eventType of ['order', 'Order.changed', 'order.', 'order-changed.x']) refused({ eventType })
  refused({ objectType: '' })
  refused({ revision: ['/status', ['updated']] })
  refused({ occurredAt: ['updated'] })
})
