import t from 'tap'
import { marksOf } from '../../console/rules/marks.ts'
import { columnsOf, isEmpty, plots } from '../../console/rules/plots.ts'
import { sparkPath } from '../../console/rules/sparkline.ts'
import { Figures } from '../../src/figures/schemas.ts'

const names = Object.keys(Figures.properties.series.properties)

/** Figures of two slots in which every series has the values. */
function figuresOf (values: readonly (number | null)[]) {
  return { series: Object.fromEntries(names.map(name => [name, [...values]])) } as unknown as Parameters<
    typeof isEmpty
  >[1]
}

t.test('a stacked plot shows sums, another one the values', t => {
  const stacked = plots.find(({ isStacked, lines }) => isStacked && lines.length === 3)
  const plain = plots.find(({ isStacked }) => !isStacked)
  if (stacked === undefined || plain === undefined) throw new Error('there are no plots')

  t.strictSame(columnsOf(stacked, figuresOf([1, 2])), [[1, 2], [2, 4], [3, 6]])
  t.strictSame(columnsOf(plain, figuresOf([1, null]))[0], [1, null])
  t.equal(isEmpty(plain, figuresOf([0, null])), true)
  t.equal(isEmpty(plain, figuresOf([null, 3])), false)
  t.end()
})

t.test('every figure of the hub but the few that others contain is in a plot', t => {
  const drawn = new Set(plots.flatMap(({ lines }) => lines.map(({ from }) => from as string)))
  t.strictSame(names.filter(name => !drawn.has(name)), ['jobsCancelled', 'stockWrites', 'upstreamP99'])
  t.end()
})

t.test('changes of connections leave marks', t => {
  const change = { createdAt: '2026-11-27T12:00:00Z', actor: { name: 'ops' }, objectName: 'Shop' }

  t.strictSame(marksOf([{ ...change, action: 'connection.move' }, { ...change, action: 'token.create' }]), [
    { at: 1_795_780_800, title: 'connection.move of Shop by ops' }
  ])
  t.end()
})

t.test('a small line goes from the left to the right and touches the top', t => {
  t.equal(sparkPath([0, 2, 1]), 'M0 27L60 1L120 14')
  t.equal(sparkPath([0, 0]), 'M0 27L120 27')
  t.equal(sparkPath([0, 1], 2), 'M0 27L120 14', 'two lines of one field have one scale')
  t.equal(sparkPath([]), '')
  t.end()
})
