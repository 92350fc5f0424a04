import { signWebhook } from '@linker/sdk'
import { runConformance } from '@linker/sdk/testing'
import t from 'tap'
import { limits } from './find-faults.ts'
import { goodAdapter, writeAdapter } from './good-adapter.ts'

t.test("a proved challenge that is signed in the hub's own scheme passes", async t => {
  const good = goodAdapter()
  const secret = 'webhook-secret-of-the-good-shop'
  const at = '2026-01-31T12:00:00Z'
  const timestamp = String(Date.parse(at))
  const { directory, remove } = await writeAdapter({
    ...good,
    source: good.source.replace(
      /webhooks: \{.*?\n {2}\},/s,
      "webhooks: { scheme: 'hmac', challenges: [{ method: 'POST', when: [{ body: '/type' }], answer: {} }] },"
    ),
    settings: {
      ...good.settings,
      challenges: [{
        method: 'POST',
        secret,
        at,
        headers: {
          'Content-Type': 'application/json',
          'X-Linker-Timestamp': timestamp,
          'X-Linker-Signature': signWebhook(secret, timestamp, '{"type":"ping"}')
        },
        body: '{"type":"ping"}',
        answer: { body: '' }
      }]
    }
  })
  t.teardown(remove)

  const { checks } = await runConformance(directory, { only: ['L1-SHP-10'], limits })

  t.match(checks.find(({ id }) => id === 'L1-SHP-10'), { status: 'passed', findings: [] })
})
