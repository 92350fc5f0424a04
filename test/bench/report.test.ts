import t from 'tap'
import { drawChart } from './report/chart.ts'
import { repeat, spreadsOf } from './report/figures.ts'
import type { Row } from './report/results.ts'

t.test('a figure of several runs is their median, with the least and the most', async t => {
  const values = [3, 1, 2]
  t.strictSame(await repeat(3, async () => ({ perSecond: values.pop() ?? 0 })), {
    perSecond: { median: 2, least: 1, most: 3 }
  })
  t.strictSame(spreadsOf([{ a: 4, b: 1 }, { a: 6, b: 9 }, { a: 5, b: 2 }]), {
    a: { median: 5, least: 4, most: 6 },
    b: { median: 2, least: 1, most: 9 }
  })
})

t.test('the chart draws each row that has the main figure', async t => {
  const value = (median: number) => ({ median, least: median, most: median })
  const svg = drawChart({
    name: 'a',
    title: 'Orders & <stock>',
    method: '',
    measuredAt: '2026-01-02',
    runs: 3,
    machine: { processors: '2 × x', node: 'v24', load: 0 },
    columns: { rate: { heading: 'per second' }, cpu: { heading: 'CPU' } },
    main: 'rate',
    rows: [
      { title: 'the parts', kind: 'limit', figures: { rate: value(2_000) } },
      { title: 'hub', kind: 'hub', figures: { rate: value(1_000) }, compared: { with: 'the parts', share: 0.5 } },
      { title: 'without a rate', kind: 'hub', figures: { cpu: value(1) } }
    ]
  })

  t.match(svg, 'Orders &amp; &lt;stock>')
  t.strictSame([...svg.matchAll(/<rect class="(\w+)"[^>]* width="(\d+)"/g)].map(([, kind, width]) => [kind, width]), [
    ['limit', '300'],
    ['hub', '150']
  ])
  t.match(svg, '>1 000 (50 %)<')
  t.notMatch(svg, 'without a rate')
})

t.test('the chart says which rows were measured once', async t => {
  const row = { kind: 'hub' as const, figures: { rate: { median: 1, least: 1, most: 1 } } }
  const draw = (rows: Row[]) =>
    drawChart({
      name: 'a',
      title: 'a',
      method: '',
      measuredAt: '2026-01-02',
      runs: 3,
      machine: { processors: '2 × x', node: 'v24', load: 0 },
      columns: { rate: { heading: 'per second' } },
      main: 'rate',
      rows
    })

  const mixed = draw([{ ...row, title: 'later' }, { ...row, title: 'first', runs: 1 }])
  t.match(mixed, '>first (once)<')
  t.match(mixed, '>later<')
  t.match(mixed, 'Median of 3 where not once, 2026-01-02')
  t.match(draw([{ ...row, title: 'first', runs: 1 }]), 'Measured once, 2026-01-02')
})
