import t from 'tap'
import { createSharedReferences } from '../../src/attention/shared-references.ts'
import type { SharedSku } from '../../src/catalog/store.ts'

const shared: SharedSku = { connectionId: 'c1', sku: 'A', count: 2, variantId: 'v1' }

t.test('all variants are read once an hour, and only known references between that', async t => {
  let nowMs = 0
  let rows: object[] = []
  const asked: (readonly unknown[] | undefined)[] = []
  const find = createSharedReferences(() => new Date(nowMs))
  const look = () =>
    find(async <Row extends object>(_text: string, values?: readonly unknown[]) => {
      asked.push(values)
      return rows as Row[]
    })

  t.strictSame(await look(), [])
  rows = [shared]
  t.strictSame(await look(), [], 'none was known, so none is looked at')
  nowMs = 3_600_000
  t.strictSame(await look(), [shared])
  rows = []
  t.strictSame(await look(), [], 'it ends at once')
  t.strictSame(asked, [[100], [100], [['A']]])
})

t.test('a whole reading that took too long is not repeated for an hour, and nothing is said meanwhile', async t => {
  let nowMs = 0
  let calls = 0
  const find = createSharedReferences(() => new Date(nowMs))
  const look = () =>
    find(async () => {
      calls += 1
      throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
    })

  await t.rejects(look(), { code: '57014' })
  nowMs = 3_599_999
  await t.rejects(look(), { code: '57014' })
  t.equal(calls, 1)
  nowMs = 3_600_000
  await t.rejects(look(), { code: '57014' })
  t.equal(calls, 2)
})

t.test('any other error is over at the next look', async t => {
  const find = createSharedReferences(() => new Date(0))

  await t.rejects(find(() => Promise.reject(new Error('away'))), /away/)
  t.strictSame(await find(async () => []), [])
})
