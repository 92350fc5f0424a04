import t from 'tap'
import type { AdapterRecord } from '../../src/adapters/load.ts'
import { findConflict, swapRecord } from '../../src/adapters/swap.ts'
import { fakeAdapter } from '../connections/support.ts'

function recordOf (version: string, directory: string): AdapterRecord {
  const adapter = { ...fakeAdapter({ version }), directory }
  return { packageName: directory, directory, isRequired: false, found: adapter, adapter }
}

function failed (directory: string): AdapterRecord {
  const problem = { state: 'failed', code: 'LNK_ADAPTER_IMPORT_FAILED', message: 'no' } as const
  return { packageName: directory, directory, isRequired: false, problem }
}

const pin = (adapterVersion: string | null) => ({ adapterKey: 'feed.api.v1', adapterVersion })

t.test('a load takes the place of the earlier load of its folder, and others stay', async t => {
  const [other, before, after] = [recordOf('2.0.0', '/other'), recordOf('1.0.0', '/dev'), recordOf('1.0.0', '/dev')]
  const { records, left } = swapRecord([before, other], after, [pin('1.0.0')])

  t.strictSame(records, [other, after])
  t.strictSame(left, [before.adapter])
})

t.test('a load takes the place of a load that failed', async t => {
  const after = recordOf('1.0.0', '/dev')

  t.strictSame(swapRecord([failed('/dev')], after, []), { records: [after], left: [] })
})

t.test('an earlier version of the folder stays while a connection pins it', async t => {
  const [before, after] = [recordOf('1.0.0', '/dev'), recordOf('1.1.0', '/dev')]

  t.strictSame(swapRecord([before], after, [pin('1.0.0')]), { records: [before, after], left: [] })
  for (const other of [pin(null), pin('latest'), pin('^1.0.0'), { ...pin('1.0.0'), adapterKey: 'other.api.v1' }]) {
    t.strictSame(swapRecord([before], after, [other]), { records: [after], left: [before.adapter] })
  }
})

t.test('the same version in another folder is a conflict', async t => {
  const records = [recordOf('1.0.0', '/other'), recordOf('1.0.0', '/dev'), failed('/broken')]

  t.equal(findConflict(records, recordOf('1.0.0', '/dev')), '/other')
  t.equal(findConflict(records, recordOf('1.1.0', '/dev')), undefined)
  t.equal(findConflict(records.slice(1), recordOf('1.0.0', '/dev')), undefined)
})
