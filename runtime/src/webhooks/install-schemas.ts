import { Type, type Static } from '@sinclair/typebox'

export const Installed = Type.Object({
  webhooksConfigured: Type.Literal(true),
  testPingTriggered: Type.Boolean({ description: 'Whether a test event arrived that the hub sent to its own address' }),
  warning: Type.Optional(Type.String({ description: 'Reason why webhooks may not arrive' }))
}, { $id: 'WebhooksInstalled' })
export type Installed = Static<typeof Installed>

export const WebhookTest = Type.Object({
  arrived: Type.Boolean({ description: 'Whether the event came back to this hub, and was accepted' }),
  problem: Type.Union([
    Type.String({ description: 'What the hub saw instead' }),
    Type.Null()
  ]),
  callbackUrl: Type.String({ description: 'The address to which the hub sent it' }),
  testedAt: Type.String({ format: 'date-time' })
}, { $id: 'WebhookTest' })
export type WebhookTest = Static<typeof WebhookTest>

export const WebhookStatus = Type.Object({
  webhooksConfigured: Type.Boolean({
    description: 'Whether the environment holds a secret or the last install succeeded'
  }),
  lastDeliveryAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  lastDeliveryEvent: Type.Union([Type.String({ description: 'Event type of the last delivery' }), Type.Null()]),
  lastDeliveryResult: Type.Union([
    Type.String({
      description: '`ignored`, or the status of its job; `accepted` when there is no such job yet or any more'
    }),
    Type.Null()
  ]),
  secretAgeSeconds: Type.Union([
    Type.Integer({
      description: 'Age of the secret that the platform uses; null when no install made that secret'
    }),
    Type.Null()
  ]),
  testPingAt: Type.Union([
    Type.String({
      format: 'date-time',
      description:
        'When the hub last sent a test event to its own address, with the secret of the last install that succeeded'
    }),
    Type.Null()
  ]),
  testPingProblem: Type.Union([
    Type.String({ description: 'Why the test event did not arrive; null when it arrived, or none was sent' }),
    Type.Null()
  ]),
  installWarning: Type.Union([
    Type.String({
      description: 'Why webhooks may not arrive, as the adapter said at the end of the last install that succeeded'
    }),
    Type.Null()
  ]),
  installWarningAt: Type.Union([
    Type.String({
      format: 'date-time',
      description: 'When that install ended; a webhook that came later shows that the platform reaches the hub'
    }),
    Type.Null()
  ]),
  callbackUrl: Type.Union([
    Type.String({
      description: 'The address that an install gives to the platform; null: `callbackBaseUrl` is missing or wrong'
    }),
    Type.Null()
  ])
}, { $id: 'WebhookStatus' })
export type WebhookStatus = Static<typeof WebhookStatus>
