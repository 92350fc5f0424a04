import t from 'tap'
import { readQuery } from './promql.ts'

t.test('the names of a query are its metrics, their labels and values', async t => {
  const query = readQuery('sum by (le, adapter) (rate(a_bucket{state=~"one|two"}[$__rate_interval])) > max(b)')

  t.strictSame(query, {
    metrics: ['a_bucket', 'b'],
    labels: [
      { metric: 'a_bucket', label: 'state' },
      { metric: 'a_bucket', label: 'le' },
      { metric: 'a_bucket', label: 'adapter' }
    ],
    values: [{ metric: 'a_bucket', value: 'one' }, { metric: 'a_bucket', value: 'two' }],
    groupings: ['le', 'adapter']
  })
})

t.test('the labels that two metrics are matched on belong to both', async t => {
  const { labels } = readQuery('a == 1 unless on (instance) b')

  t.strictSame(labels, [{ metric: 'a', label: 'instance' }, { metric: 'b', label: 'instance' }])
})

t.test('a query with a fault is refused', async t => {
  t.throws(() => readQuery('sum(rate(a[5m])'), /fault at character/)
  t.throws(() => readQuery('sum by adapter (a)'), /fault at character/)
})
