import t from 'tap'
import { newItem } from '../../src/attention/items/new-item.ts'
import type { AttentionKind, AttentionSeverity } from '../../src/attention/schemas.ts'
import { formatAlerts } from '../../src/cli/alerts.ts'
import { formatAttention } from '../../src/cli/attention.ts'
import { checkAttention, checkStoredAttention, describeAttention } from '../../src/cli/doctor/attention.ts'
import { readConfig } from '../../src/config.ts'
import type { Query } from '../../src/database/database.ts'

function item (severity: AttentionSeverity, kind: AttentionKind = 'oversell') {
  return newItem({
    kind,
    severity,
    since: '2026-11-26T11:00:00.000Z',
    title: '2 offers may oversell',
    detail: 'A cause; an action.',
    target: '/offers'
  })
}

t.test('each item is two lines: what and since when, and what to do', async t => {
  const now = new Date('2026-11-26T12:00:00.000Z')

  t.equal(formatAttention([], now), 'nothing needs a person')
  t.equal(
    formatAttention([item('error')], now),
    'error    2 offers may oversell (for 1 hour)\n         A cause; an action.'
  )
})

t.test('the doctor warns of what it does not check itself', async t => {
  t.match(describeAttention([item('info'), item('error', 'adapter-away'), item('warning', 'pause-open')]), [{
    mark: 'ok'
  }])
  t.match(describeAttention([item('error', 'no-worker')]), [{ mark: 'warning' }])
  t.match(describeAttention([item('error')]), [{
    mark: 'warning',
    message: '2 offers may oversell. A cause; an action.'
  }])
})

t.test('the doctor goes on when the hub cannot say it', async t => {
  const hub = { call: () => Promise.reject(new Error('404 LNK_NOT_FOUND')) }

  t.match(await checkAttention(hub), [{ mark: 'warning', message: /404 LNK_NOT_FOUND/ }])
})

t.test('the doctor says nothing of a database without tables, and why it could not read another', async t => {
  const config = readConfig({}, '/project')
  const now = new Date('2026-11-26T12:00:00.000Z')

  t.strictSame(await checkStoredAttention(config, async () => [], now), [])
  const old: Query = async text => {
    if (text.includes('to_regclass')) return [{ areThere: true }] as never
    throw new Error('column "deleted_at" does not exist')
  }
  t.match(await checkStoredAttention(config, old, now), [{ mark: 'warning', message: /"deleted_at" does not exist/ }])
})

t.test('the list says who was told, and which channel fails', async t => {
  const channel = { channel: 'mail', failures: 2, failingSince: null, problem: 'no answer', lastSentAt: null } as const
  const told = [{ channel: 'mail', at: '2026-11-26T11:30:00.000Z' } as const]

  t.match(
    formatAlerts({ channels: [], open: [] }),
    'no channel is configured, so nobody is told\nnothing needs a person'
  )
  const quiet = [{ channel: 'mail', until: '2026-11-26T12:30:00.000Z' } as const]
  const open = [
    { ...item('error'), told, quiet: [] },
    { ...item('error'), told: [], quiet: [] },
    { ...item('warning'), told: [], quiet }
  ]
  const text = formatAlerts({ channels: [channel], open })
  t.match(text, 'mail: 2 failed, the last because: no answer')
  t.match(text, 'mail 2026-11-26T11:30:00.000Z')
  t.match(text, 'nobody yet')
  t.match(text, 'mail quiet until 2026-11-26T12:30:00.000Z')
})
