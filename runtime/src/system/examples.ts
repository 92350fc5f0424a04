import { exampleIds } from '../http/description/example-ids.ts'
import type { Examples } from '../http/description/examples.ts'

const usualLevel = { level: 'info', usual: 'info', until: null }

export const systemExamples: Examples = {
  bodies: { setLogLevel: { level: 'debug', minutes: 10 } },
  answers: {
    LogLevel: { level: 'debug', usual: 'info', until: '2026-01-31T10:15:00.000Z' },
    System: {
      version: '0.1.0',
      node: 'v24.21.0',
      mode: 'full',
      role: 'all',
      configurationFile: '/srv/linker/linker.config.json',
      dataDirectory: '/srv/linker/state',
      freeBytes: 41_234_000_000,
      publicUrl: 'https://hub.example',
      credentialKeys: ['k1'],
      encryption: true,
      isProduction: true,
      console: true,
      processes: [{
        id: exampleIds.process,
        role: 'all',
        mode: 'full',
        version: '0.1.0',
        host: 'hub-1',
        pid: 4711,
        startedAt: '2026-01-31T09:00:00.000Z',
        seenAt: '2026-01-31T10:04:55.000Z',
        answers: true
      }],
      adapters: [{ adapter: 'myshop.api.v1@1.4.0', state: 'ready' }],
      start: [{ step: 'opening the database', ms: 120 }, { step: 'loading the adapters', ms: 210 }],
      logLevel: usualLevel,
      retention: {
        webhookDays: 7,
        finishedJobDays: 14,
        deadJobDays: 30,
        auditDays: 400,
        personalDataDays: 180,
        batchDays: 90,
        orderDays: null,
        figureMinuteHours: 48,
        figureDays: 90,
        streamBytes: 67_108_864
      }
    }
  }
}
