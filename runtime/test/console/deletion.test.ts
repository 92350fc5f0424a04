import t from 'tap'
import { blocksDeletion } from '../../console/rules/deletion.ts'

const given = { isForced: false, typed: 'Shop', name: 'Shop' }

t.test('a connection is deleted when nothing stands in the way and its name is typed', async t => {
  t.equal(blocksDeletion({ obstacles: [] }, given), undefined)
  t.type(blocksDeletion({ obstacles: [] }, { ...given, typed: 'shop' }), 'string')
  t.type(blocksDeletion({ obstacles: [{ code: 'in-service' }] }, { ...given, isForced: true }), 'string')
})

t.test('a person may overrule open orders', async t => {
  const plan = { obstacles: [{ code: 'open-orders' }] }

  t.type(blocksDeletion(plan, given), 'string')
  t.equal(blocksDeletion(plan, { ...given, isForced: true }), undefined)
})
