import t from 'tap'
import { createLooking } from '../../src/attention/attention.ts'
import { newItem } from '../../src/attention/items/new-item.ts'
import { lookAt, type OnFailure, type Source } from '../../src/attention/look.ts'
import type { AttentionItem } from '../../src/attention/schemas.ts'

function item (of: string, members: Partial<AttentionItem> = {}): AttentionItem {
  const texts = { title: of, detail: of, target: '/' }
  return { ...newItem({ kind: 'dead-jobs', severity: 'warning', since: null, of, ...texts }), ...members }
}

const end: OnFailure = async error => {
  throw error
}
const source = (read: () => Promise<AttentionItem[]>): Source => ({ name: 'dead jobs', kinds: ['dead-jobs'], read })

t.test('the gravest come first, of one severity the oldest, and last those of unknown age', async t => {
  const { items } = await lookAt([
    source(async () => [
      item('info', { severity: 'info', since: '2020-01-01T00:00:00.000Z' }),
      item('unknown age'),
      item('young', { since: '2026-01-02T00:00:00.000Z' }),
      item('old', { since: '2026-01-01T00:00:00.000Z' })
    ]),
    source(async () => [item('error', { severity: 'error' })])
  ], end)

  t.strictSame(items.map(({ title }) => title), ['error', 'old', 'young', 'unknown age', 'info'])
})

t.test('that no process runs jobs comes before all other errors, however old', async t => {
  const { items } = await lookAt([source(async () => [
    item('old', { severity: 'error', since: '2020-01-01T00:00:00.000Z' }),
    item('no worker', { kind: 'no-worker', severity: 'error' })
  ])], end)

  t.strictSame(items.map(({ title }) => title), ['no worker', 'old'])
})

t.test('a source that takes too long is an item, and its kinds are unknown', async t => {
  const tooSlow = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
  const { items, unknown } = await lookAt(
    [source(() => Promise.reject(tooSlow)), source(async () => [item('other')])],
    end
  )

  t.strictSame(items.map(({ kind }) => kind), ['dead-jobs', 'unchecked'])
  t.strictSame([...unknown], ['dead-jobs'])
})

t.test('a source that fails is an item, too, and the others are read', async t => {
  const failed: unknown[] = []
  const away = source(() => Promise.reject(new Error('Redis is away')))
  const { items, unknown } = await lookAt([away, source(async () => [item('other')])], async (error, { name }) => {
    failed.push([error, name])
  })

  t.match(items, [
    { title: 'other' },
    { kind: 'unchecked', detail: /^An error ended the look at dead jobs; the log/ }
  ])
  t.strictSame([...unknown], ['dead-jobs'])
  t.strictSame(failed, [[new Error('Redis is away'), 'dead jobs']])
})

t.test('the one who is told of an error can end the look', async t => {
  await t.rejects(lookAt([source(() => Promise.reject(new Error('the server is away')))], end), /the server is away/)
})

t.test('callers share a look that is fresh enough, and one runs at a time', async t => {
  let nowMs = 0
  const answers: (() => void)[] = []
  const looking = createLooking(async () => {
    await new Promise<void>(resolve => answers.push(resolve))
    return { items: [item('one')], unknown: new Set() }
  }, () => nowMs)
  const [first, shared, own] = [looking.look(1_000), looking.look(1_000), looking.look()]
  await new Promise(setImmediate)

  t.equal(answers.length, 1)
  answers[0]?.()
  t.equal(await first, await shared)
  await new Promise(setImmediate)
  t.equal(answers.length, 2, 'a caller that wants no older look gets its own')
  answers[1]?.()
  t.not(await own, await first)

  t.equal((await looking.count())?.get('dead-jobs'), 1)
  t.equal((await looking.count())?.get('oversell'), 0)
  t.equal(answers.length, 2)
  nowMs = 15_001
  const counted = looking.count()
  await new Promise(setImmediate)
  answers[2]?.()
  await counted
  t.equal(answers.length, 3)
})

t.test('many who want a look of their own share the next one, whose age counts from its beginning', async t => {
  let nowMs = 0
  const answers: (() => void)[] = []
  const looking = createLooking(async () => {
    await new Promise<void>(resolve => answers.push(resolve))
    return { items: [], unknown: new Set() }
  }, () => nowMs)
  const first = looking.look()
  nowMs = 5_000
  const late = [looking.look(), looking.look(), looking.look(1_000)]
  nowMs = 20_000
  late.push(looking.look(1_000))
  answers[0]?.()
  await first
  await new Promise(setImmediate)

  nowMs = 20_999
  late.push(looking.look(1_000))
  t.equal(answers.length, 2)
  answers[1]?.()
  const [shared, ...others] = await Promise.all(late)
  t.ok(others.every(other => other === shared))
  t.not(shared, await first)
})

t.test('a kind that nobody could look at has no count', async t => {
  const looking = createLooking(async () => ({
    items: [item('one'), item('from another source', { kind: 'oversell' })],
    unknown: new Set(['oversell'] as const)
  }))
  const counts = await looking.count()

  t.equal(counts?.get('dead-jobs'), 1)
  t.equal(counts?.get('late-jobs'), 0)
  t.notOk(counts?.has('oversell'))
})

t.test('a look that failed is not remembered', async t => {
  let calls = 0
  const looking = createLooking(async () => {
    calls += 1
    throw new Error('away')
  }, () => 0)
  await t.rejects(looking.look(1_000))

  t.equal(await looking.count(), undefined)
  t.equal(calls, 2)
})
