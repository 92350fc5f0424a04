import { AdapterErrorCode, pageSize, positionOf, toPage } from '@linker/sdk'
import t from 'tap'

t.test('a page asks for at least one item and at most as many as the platform answers', async t => {
  t.strictSame([0, 1, 50, 100, 101].map(limit => pageSize(limit, 100)), [1, 1, 50, 100, 100])
})

t.test('a cursor that is a number is a position, and the first page has its own', async t => {
  t.equal(positionOf(undefined), 0)
  t.equal(positionOf(undefined, { first: 1 }), 1)
  t.equal(positionOf('200'), 200)
  t.equal(positionOf('10000', { last: 10_000 }), 10_000)
})

t.test('another text is no cursor of this list', async t => {
  for (const cursor of ['', '-1', '1.5', '1e3', ' 1', 'next', '9'.repeat(17), 'x'.repeat(1_000)]) {
    t.throws(
      () => positionOf(cursor),
      { code: AdapterErrorCode.rejected, message: /^'.{0,64}' is not a cursor/ },
      cursor
    )
  }
  t.throws(() => positionOf('10001', { last: 10_000 }), { code: AdapterErrorCode.rejected })
})

t.test('the last page has no cursor', async t => {
  t.strictSame(toPage([1], { cursor: 'a', nextCursor: undefined }), { items: [1] })
  t.strictSame(toPage([1], { cursor: 'a', nextCursor: 'b', isLast: true }), { items: [1] })
  t.strictSame(toPage([1], { cursor: 'a', nextCursor: 'b' }), { items: [1], nextCursor: 'b' })
})

t.test('a page that leads to itself, or to nowhere although more follow, is a fault of the platform', async t => {
  const fault = { code: AdapterErrorCode.transient }

  t.throws(() => toPage([1], { cursor: 'a', nextCursor: 'a' }), fault)
  t.throws(() => toPage([1], { cursor: 'a', nextCursor: undefined, isLast: false }), fault)
})
