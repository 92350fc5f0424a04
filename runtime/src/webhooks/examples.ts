import { exampleIds } from '../http/description/example-ids.ts'
import type { Examples } from '../http/description/examples.ts'

const { shop, request, job, anotherJob } = exampleIds
const acceptedAt = '2026-01-31T10:00:00.000Z'

const event = {
  schemaVersion: 1,
  eventId: 'evt-184467',
  eventType: 'stock.changed',
  occurredAt: '2026-01-31T09:59:59Z',
  object: { type: 'stock', externalId: '27' }
}

const replay = {
  jobId: anotherJob,
  createdAt: '2026-01-31T11:00:00.000Z',
  status: 'succeeded',
  waitsFor: null,
  problem: null,
  finishedAt: '2026-01-31T11:00:01.000Z'
}

const delivery = {
  id: job,
  createdAt: acceptedAt,
  acceptedAt,
  provider: 'myshop',
  connectionId: shop,
  eventId: event.eventId,
  eventType: event.eventType,
  objectType: event.object.type,
  externalId: event.object.externalId,
  occurredAt: event.occurredAt,
  requestId: request,
  status: 'dead',
  ignored: null,
  jobId: job,
  jobType: 'myshop.stock.syncByExternalId',
  waitsFor: null,
  problem: { code: 'LNK_ADAPTER_REJECTED', message: 'the product is locked' },
  finishedAt: '2026-01-31T10:00:02.000Z',
  replayCount: 1,
  lastReplay: replay,
  replayableUntil: '2026-02-07T10:00:00.000Z'
}

export const webhookExamples: Examples = {
  bodies: {
    deliverWebhook: event,
    testWebhook: event,
    replayDeliveries: { filter: { connectionId: shop, status: 'dead' }, dryRun: true }
  },
  answers: {
    deliverWebhook: 'OK',
    answerWebhookChallenge: '1158201444',
    answerWebhookHandshake: '1158201444',
    WebhookVerdict: {
      ok: false,
      check: 'authentication',
      status: 401,
      code: 'LNK_SIGNATURE_MISMATCH',
      message:
        'The signature does not match the body received: the secret differs, or other bytes were signed than sent'
    },
    WebhooksInstalled: { webhooksConfigured: true, testPingTriggered: true },
    WebhookTest: {
      arrived: false,
      problem: 'the address answered 404: another server answers there, or a proxy does not pass the path on',
      callbackUrl: `https://hub.example/webhooks/myshop/${shop}`,
      testedAt: acceptedAt
    },
    WebhookStatus: {
      webhooksConfigured: true,
      lastDeliveryAt: acceptedAt,
      lastDeliveryEvent: event.eventType,
      lastDeliveryResult: 'accepted',
      secretAgeSeconds: 86_400,
      testPingAt: '2026-01-30T10:00:00.000Z',
      testPingProblem: null,
      installWarning: null,
      installWarningAt: null,
      callbackUrl: `https://hub.example/webhooks/myshop/${shop}`
    },
    WebhookRefusal: {
      code: 'LNK_SIGNATURE_MISMATCH',
      count: 4,
      firstAt: '2026-01-31T09:00:00.000Z',
      lastAt: acceptedAt,
      lastDetail:
        'The signature does not match the body received: the secret differs, or other bytes were signed than sent',
      remedy: 'Compare the secrets; sign the raw body'
    },
    WebhookDelivery: delivery,
    WebhookDeliveryDetail: { ...delivery, replays: [replay] },
    WebhookReplay: { jobId: anotherJob },
    WebhookReplayIgnored: { jobId: null, ignored: 'unknown event type' },
    WebhookReplaySummary: {
      dryRun: true,
      matched: 3,
      isMore: false,
      jobs: 2,
      alreadyReplayed: 1,
      ignored: [],
      refused: [],
      sample: [{ ...delivery, outcome: 'replayed' }],
      replays: []
    }
  }
}
