import t from 'tap'
import { reportOf } from '../../console/rules/job-report.ts'

type Job = Parameters<typeof reportOf>[0]

const job: Job = {
  id: '0198c3a1-0000-7000-8000-000000000001',
  jobType: 'marketplace.offer.update',
  connectionId: '0198c3a1-0000-7000-8000-000000000002',
  objectKey: 'offer:7',
  idempotencyKey: 'k',
  payload: { offerId: '7', apiKey: '[redacted]' },
  requestId: null,
  status: 'dead',
  attempts: [{
    startedAt: '2026-01-31T10:00:00.000Z',
    finishedAt: '2026-01-31T10:00:01.500Z',
    error: { code: 'LNK_UPSTREAM_REJECTED', message: 'no such category\nchoose another' },
    calls: [{ at: '2026-01-31T10:00:00.100Z', method: 'PUT', path: '/offers/7|8', status: 422, ms: 90 }],
    callsLeftOut: 3
  }],
  result: null,
  problem: { code: 'LNK_UPSTREAM_REJECTED', message: 'no such category', fields: [{ pointer: '/category' }] },
  adapter: 'mktb.shopapi.v1@0.1.0',
  coalescedInto: null,
  cancellation: null,
  dueAt: null,
  waitsFor: null,
  createdAt: '2026-01-31T10:00:00.000Z',
  finishedAt: '2026-01-31T10:00:01.500Z'
}

t.test('a report tells of what the job died, attempt by attempt, with its requests', async t => {
  t.equal(
    reportOf(job),
    `# Job \`marketplace.offer.update\`: dead

- Job: \`0198c3a1-0000-7000-8000-000000000001\`
- Connection: \`0198c3a1-0000-7000-8000-000000000002\`
- Adapter: \`mktb.shopapi.v1@0.1.0\`
- Object: \`offer:7\`
- Made: 2026-01-31T10:00:00.000Z
- Finished: 2026-01-31T10:00:01.500Z

## Problem

\`LNK_UPSTREAM_REJECTED\`

> no such category

## Fields of the problem

\`\`\`json
[
  {
    "pointer": "/category"
  }
]
\`\`\`

## Attempt 1

2026-01-31T10:00:00.000Z, 1.5 s

\`LNK_UPSTREAM_REJECTED\`

> no such category
> choose another

| Sent | Request | Answer | Time |
|---|---|---|---|
| 2026-01-31T10:00:00.100Z | \`PUT /offers/7\\|8\` | 422 | 90 ms |

3 requests in the middle were not kept.

## Payload

\`\`\`json
{
  "offerId": "7",
  "apiKey": "[redacted]"
}
\`\`\`
`
  )
})

t.test('a text of a platform cannot end the fence around it', async t => {
  const report = reportOf({ ...job, payload: { text: '```\n# done' }, objectKey: 'a`b' })

  t.match(report, /\n````json\n/)
  t.match(report, '- Object: ``a`b``')
})

t.test('a job that waits says why', async t => {
  const report = reportOf({ ...job, problem: null, waitsFor: { reason: 'budget', detail: 'the quota is used up' } })

  t.match(report, '\nWaits: budget, the quota is used up\n')
  t.notMatch(report, '## Problem')
})
