import t from 'tap'
import { planTelling } from '../../src/alerts/plan.ts'
import type { Telling } from '../../src/alerts/store.ts'
import { newItem } from '../../src/attention/items/new-item.ts'
import type { AttentionItem, AttentionKind, AttentionSeverity } from '../../src/attention/schemas.ts'

const nowMs = Date.parse('2026-11-26T12:00:00.000Z')
const minutes = (count: number): number => count * 60_000

function item (severity: AttentionSeverity = 'error', kind: AttentionKind = 'dead-jobs', of?: string): AttentionItem {
  const texts = { title: 'a title', detail: 'a detail', target: '/' }
  return newItem({ kind, severity, since: null, ...(of === undefined ? {} : { of }), ...texts })
}

function told (minutesAgo: number, members: Partial<Telling> = {}): Telling {
  const toldAt = new Date(nowMs - minutes(minutesAgo)).toISOString()
  return { channel: 'mail', key: 'dead-jobs', item: item(), toldAt, isOpen: true, ...members }
}

function plan (
  items: readonly AttentionItem[],
  tellings: readonly Telling[] = [],
  unknown: readonly AttentionKind[] = []
): Record<'fresh' | 'open' | 'recovered', number> {
  const { fresh, open, recovered } = planTelling({ items: [...items], unknown: new Set(unknown) }, tellings, {
    channel: 'mail',
    leastSeverity: 'warning',
    quietMs: minutes(60),
    nowMs
  })
  return { fresh: fresh.length, open: open.length, recovered: recovered.length }
}

const nothing = { fresh: 0, open: 0, recovered: 0 }

t.test('an item is told once, and again after a day', async t => {
  t.strictSame(plan([item()]), { ...nothing, fresh: 1 })
  t.strictSame(plan([item()], [told(1)]), nothing)
  t.strictSame(plan([item()], [told(24 * 60 - 1)]), nothing)
  t.strictSame(plan([item()], [told(24 * 60)]), { ...nothing, open: 1 })
})

t.test('an item that is less severe than wanted is not told, and neither is its end', async t => {
  t.strictSame(plan([item('info')]), nothing)
  t.strictSame(plan([]), nothing)
})

t.test('an item that became less severe than wanted is not gone', async t => {
  t.strictSame(plan([item('info')], [told(600)]), nothing)
})

t.test('an item that became worse is told after the quiet time', async t => {
  const warned = { item: item('warning') }

  t.strictSame(plan([item('error')], [told(59, warned)]), nothing)
  t.strictSame(plan([item('error')], [told(60, warned)]), { ...nothing, fresh: 1 })
})

t.test('the end is told once, five minutes after the beginning at the earliest', async t => {
  t.strictSame(plan([], [told(4)]), nothing)
  t.strictSame(plan([], [told(5)]), { ...nothing, recovered: 1 })
  t.strictSame(plan([], [told(5, { isOpen: false })]), nothing)
})

t.test('a warning that comes back is told after the quiet time, an error at once', async t => {
  const ended = { isOpen: false }

  t.strictSame(plan([item('warning')], [told(59, ended)]), nothing)
  t.strictSame(plan([item('warning')], [told(60, ended)]), { ...nothing, fresh: 1 })
  t.strictSame(plan([item('error')], [told(1, ended)]), { ...nothing, fresh: 1 })
})

t.test('an item of a kind at which the hub could not look counts as standing', async t => {
  t.strictSame(plan([], [told(10)], ['dead-jobs']), nothing)
})

t.test('a channel does not tell that it fails itself', async t => {
  t.strictSame(plan([item('error', 'alert-channel', 'mail')]), nothing)
  t.strictSame(plan([item('error', 'alert-channel', 'webhook')]), { ...nothing, fresh: 1 })
})
