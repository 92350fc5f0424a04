import t from 'tap'
import { findDiverged, judgeWrites } from './stock-record.ts'

const histories = new Map([['mug', [5, 6, 4]], ['plate', [9]]])

t.test('writes are in order when they follow the shop, also when they skip or repeat', async t => {
  const writes = [
    { offer: 'mug', quantity: 5 },
    { offer: 'plate', quantity: 9 },
    { offer: 'mug', quantity: 4 },
    { offer: 'mug', quantity: 4 }
  ]

  t.strictSame(judgeWrites(writes, histories), { stale: 0, ghost: 0 })
})

t.test('a write of an older quantity is stale, a write of one that the shop never had is a ghost', async t => {
  const older = [{ offer: 'mug', quantity: 4 }, { offer: 'mug', quantity: 6 }, { offer: 'mug', quantity: 5 }]
  const unknown = [{ offer: 'plate', quantity: 4 }, { offer: 'bowl', quantity: 1 }]

  t.strictSame(judgeWrites(older, histories), { stale: 2, ghost: 0 })
  t.strictSame(judgeWrites(unknown, histories), { stale: 0, ghost: 2 })
})

t.test("an offer has diverged when it does not show the shop's last quantity", async t => {
  t.strictSame(findDiverged(new Map([['mug', 4], ['plate', 9]]), histories), [])
  t.strictSame(findDiverged(new Map([['mug', 6]]), histories), ['mug', 'plate'])
})
