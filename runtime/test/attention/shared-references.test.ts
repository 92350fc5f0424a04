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
