import { readRows } from '@linker/sdk'
import { createTestContext } from '@linker/sdk/testing'
import t from 'tap'

const manifest = { adapterKey: 'feed.api.v1', platformType: 'feed', displayName: 'Feed', capabilities: [] }

function read (row: unknown): number {
  if (typeof row !== 'object' || row === null || !('size' in row)) throw new Error('a row without a size')
  return Number(row.size)
}

t.test('a row that cannot be read is left out, and the log names it with the reason', async t => {
  const { context: { log }, host } = createTestContext({ manifest, config: {}, credentials: {} })
  const rows = [{ id: 'a', size: 1 }, { id: 'b' }, null, { id: 'c', size: 3 }]

  t.strictSame(readRows(rows, read, { log, what: 'a parcel' }), [1, 3])
  const line = { level: 'warn', message: 'a parcel that cannot be read is left out of the list' }
  t.match(host.logs, [
    { ...line, fields: { externalId: 'b', reason: 'a row without a size' } },
    { ...line, fields: { reason: 'a row without a size' } }
  ])
  t.equal(host.logs.length, 2)
})

t.test('another member may name the rows', async t => {
  const { context: { log }, host } = createTestContext({ manifest, config: {}, credentials: {} })

  t.strictSame(readRows([{ key: 'k-1', id: 7 }], read, { log, what: 'a parcel', id: 'key' }), [])
  t.match(host.logs, [{ fields: { externalId: 'k-1' } }])
})
