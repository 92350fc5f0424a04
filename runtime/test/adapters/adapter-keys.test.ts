import t from 'tap'
import { deriveDefault, newerMajorKeys, standIn } from '../../src/adapters/adapter-keys.ts'

t.test('the derived default is the oldest major of the only interface', async t => {
  t.equal(deriveDefault(['feed.api.v10', 'feed.api.v2']), 'feed.api.v2')
  t.equal(deriveDefault(['feed.api.v1', 'feed.graph.v1']), undefined)
  t.equal(deriveDefault([]), undefined)
})

t.test('only a key of the same interface stands in for the one that served first', async t => {
  t.equal(standIn('feed.api.v2', ['feed.api.v1', 'feed.api.v2', 'feed.a.v1']), 'feed.api.v2')
  t.equal(standIn('feed.api.v1', ['feed.api.v10', 'feed.api.v2', 'feed.a.v1']), 'feed.api.v2')
  t.equal(standIn('feed.api.v1', ['feed.a.v1']), 'feed.api.v1')
})

t.test('newer majors are those of the same interface, the lowest first', async t => {
  t.strictSame(newerMajorKeys('feed.api.v1', ['feed.api.v10', 'feed.api.v1', 'feed.graph.v2', 'feed.api.v2']), [
    'feed.api.v2',
    'feed.api.v10'
  ])
})
