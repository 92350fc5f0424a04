import t from 'tap'
import { followPage, type PageTrail } from '../../src/adapters/page-trail.ts'

/**
 * Follows pages with these cursors. Passes the trail through JSON, like the slices of a sweep.
 * Returns the number of pages before the trail threw.
 */
function follow (cursors: Iterable<string>, items = 1): { pages: number, error?: unknown } {
  let trail: PageTrail | undefined
  let pages = 0
  try {
    for (const nextCursor of cursors) {
      pages += 1
      trail = JSON.parse(JSON.stringify(followPage(trail, { method: 'Shop.list', items, nextCursor }))) as PageTrail
    }
    return { pages }
  } catch (error) {
    return { pages, error }
  }
}

function* turning (lead: number, length: number): Generator<string> {
  for (let page = 0; page < lead; page += 1) yield `lead-${page}`
  for (let page = 0; page < 10_000; page += 1) yield `turn-${page % length}`
}

t.test('a listing whose cursors are all different is followed to its end', async t => {
  t.strictSame(follow(Array.from({ length: 5_000 }, (_, page) => `page-${page}`)), { pages: 5_000 })
  t.equal(followPage(undefined, { method: 'Shop.list', items: 0, nextCursor: undefined }), undefined)
})

t.test('a listing that comes back to a position is refused soon after, and its method is named', async t => {
  const same = follow(turning(0, 1))
  t.match(same.error, {
    code: 'LNK_ADAPTER_REJECTED',
    message: /^Shop\.list answered a cursor that it had answered before/
  })
  t.equal(same.pages, 2)
  for (const [lead, length] of [[0, 2], [0, 3], [5, 1], [7, 60], [100, 150]] as const) {
    const { pages, error } = follow(turning(lead, length))
    t.match(error, { code: 'LNK_ADAPTER_REJECTED' })
    t.ok(pages <= 3 * (lead + length) + 3, `${lead} and then ${length} in a circle: ${pages} pages`)
  }
})

t.test('a hundred empty pages in a row are an error, fewer are not', async t => {
  const cursors = Array.from({ length: 300 }, (_, page) => `page-${page}`)

  t.match(follow(cursors, 0), {
    pages: 100,
    error: { code: 'LNK_ADAPTER_REJECTED', message: /^Shop\.list answered 100 empty pages in a row/ }
  })
  let trail: PageTrail | undefined
  for (const [page, nextCursor] of cursors.entries()) {
    trail = followPage(trail, { method: 'Shop.list', items: page % 99 === 0 ? 1 : 0, nextCursor })
  }
  t.ok(trail, 'with an item now and then')
})

t.test('another method begins a new trail', async t => {
  const trail = followPage(undefined, { method: 'Shop.list', items: 0, nextCursor: 'a' })

  t.match(followPage(trail, { method: 'Shop.listMore', items: 0, nextCursor: 'a' }), {
    method: 'Shop.listMore',
    empty: 1
  })
})
