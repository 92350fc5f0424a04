import { signWebhook } from '@linker/sdk'
import { runConformance } from '@linker/sdk/testing'
import t from 'tap'
import { limits } from './find-faults.ts'
import { goodAdapter, writeAdapter } from './good-adapter.ts'

t.test('a challenge that takes a genuine delivery is named: the hub would lose its events', async t => {
  const good = goodAdapter()
  const { directory, remove } = await writeAdapter({
    ...good,
    source: good.source.replace(
      'challenges: [{',
      "challenges: [{ method: 'POST', when: [{ body: '/id' }], isProved: false, answer: { status: 200 } }, {"
    ),
    settings: {
      ...good.settings,
      deliveries: [{
        secret: 'webhook-secret-of-the-good-shop',
        headers: {
          'Content-Type': 'application/json',
          'x-good-signature': 'jDwZXhD91eITyRZqqZrzBM29uWCAKTVbeLPnidV+hZE='
        },
        body: '{"id":27}',
        at: '2026-01-31T12:00:00Z'
      }]
    }
  })
  t.teardown(remove)

  const { checks: [result] } = await runConformance(directory, { only: ['L1-SHP-10'], limits })

  t.match(result?.findings.map(({ message }) => message).join('\n'), /deliveries\/0 is taken for a challenge/)
})

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
