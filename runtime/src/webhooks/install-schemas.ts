import { Type, type Static } from '@sinclair/typebox'

export const Installed = Type.Object({
  webhooksConfigured: Type.Literal(true),
  testPingTriggered: Type.Boolean({ description: 'A test event that the hub sent to its own address arrived' }),
  warning: Type.Optional(Type.String({ description: 'What stands in the way all the same, or may' }))
}, { $id: 'WebhooksInstalled' })
export type Installed = Static<typeof Installed>

export const WebhookStatus = Type.Object({
  webhooksConfigured: Type.Boolean({ description: 'The environment holds a secret, or the last install succeeded' }),
  lastDeliveryAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  lastDeliveryEvent: Type.Union([Type.String({ description: 'Its event type' }), Type.Null()]),
  lastDeliveryResult: Type.Union([
    Type.String({
      description: '`ignored`, or the status of its job; `accepted` when that is not there yet, or not any more'
    }),
    Type.Null()
  ]),
  secretAgeSeconds: Type.Union([
    Type.Integer({
      description: 'Since the secret that the platform uses was made; null: it was not made by an install'
    }),
    Type.Null()
  ])
}, { $id: 'WebhookStatus' })
export type WebhookStatus = Static<typeof WebhookStatus>
