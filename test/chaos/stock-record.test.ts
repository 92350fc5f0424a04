import t from 'tap'
import { findDiverged, judgeWrites } from './stock-record.ts'

const histories = new Map([['mug', [5, 6, 4]], ['plate', [9]]])

t.test('writes that follow the shop are in order, also when they skip or repeat', async t => {
  const writes = [{ offer: 'mug', quantity: 5 }, { offer: 'plate', quantity: 9 }, { offer: 'mug', quantity: 4 }, {
    offer: 'mug',
    quantity: 4
  }]

  t.strictSame(judgeWrites(writes, histories), { stale: 0, ghost: 0 })
})

t.test('a write of an older quantity is stale, one that the shop never had a ghost', async t => {
  t.strictSame(
    judgeWrites(
      [{ offer: 'mug', quantity: 4 }, { offer: 'mug', quantity: 6 }, { offer: 'mug', quantity: 5 }],
      histories
    ),
    { stale: 2, ghost: 0 }
  )
  t.strictSame(judgeWrites([{ offer: 'plate', quantity: 4 }, { offer: 'bowl', quantity: 1 }], histories), {
    stale: 0,
    ghost: 2
  })
})

t.test('an offer has diverged when it does not show what the shop had last', async t => {
  t.strictSame(findDiverged(new Map([['mug', 4], ['plate', 9]]), histories), [])
  t.strictSame(findDiverged(new Map([['mug', 6]]), histories), ['mug', 'plate'])
})
