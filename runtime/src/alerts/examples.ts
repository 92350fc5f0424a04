import { attentionExamples } from '../attention/examples.ts'
import type { Examples } from '../http/description/examples.ts'

const toldAt = '2026-01-31T10:01:00.000Z'
const item = attentionExamples.answers.AttentionItem as object

export const alertExamples: Examples = {
  bodies: {},
  answers: {
    Alerts: {
      channels: [{ channel: 'webhook', failures: 0, failingSince: null, problem: null, lastSentAt: toldAt }],
      open: [{ ...item, told: [{ channel: 'webhook', at: toldAt }], quiet: [] }]
    },
    AlertTest: { channel: 'webhook', success: true, latencyMs: 84, message: 'the receiver answered 200' }
  }
}
