import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { addRest, allocateTotals, mergeLines, type CartLine } from '../../../src/orders/creation/allocate-prices.ts'

const line = (productId: string, quantity: bigint, total: bigint): CartLine => ({
  productId,
  attributeId: '0',
  quantity,
  total
})
const totals = ({ lines, rest }: { lines: readonly CartLine[], rest: bigint }) =>
  lines.map(({ total }, index) => total + (index === 0 ? rest : 0n))

t.test('totals that already fit stay unchanged', async t => {
  t.same(totals(allocateTotals([line('1', 2n, 1000n), line('2', 1n, 1n)], 1001n)), [1000n, 1n])
})

t.test('a discount is shared in proportion, to the last cent', async t => {
  const lines = ['1', '2', '3'].map(id => line(id, 1n, 1000n))

  t.same(totals(allocateTotals(lines, 2000n)), [667n, 667n, 666n])
})

t.test('a unit price stays in whole cents when another line can take the rest', async t => {
  const allocated = allocateTotals([line('1', 3n, 3000n), line('2', 1n, 1000n)], 3900n)

  t.same(totals(allocated), [2925n, 975n])
  t.same(totals(allocateTotals([line('1', 3n, 3000n), line('2', 1n, 1000n)], 3898n)), [2922n, 976n])
})

t.test('the shares always add up to the target', async t => {
  const lines = [line('1', 7n, 700n), line('2', 3n, 199n), line('3', 2n, 50n)]
  for (let target = 0n; target < 60n; target++) {
    const allocated = totals(allocateTotals(lines, target))
    t.equal(allocated.reduce((sum, total) => sum + total, 0n), target)
  }
})

t.test('a total that the lines cannot reach is refused', async t => {
  t.throws(() => allocateTotals([line('1', 1n, 100n)], -1n), { code: AdapterErrorCode.rejected })
  t.throws(() => allocateTotals([line('1', 1n, 0n)], 100n), { code: AdapterErrorCode.rejected })
})

t.test('two lines of one variant are merged, whatever their prices', async t => {
  t.same(mergeLines([line('1', 1n, 1000n), line('2', 1n, 5n), line('1', 3n, 2001n)]), [
    line('1', 4n, 3001n),
    line('2', 1n, 5n)
  ])
})

t.test('the cents that a merged line cannot take go to another line, or are left over', async t => {
  const merged = line('1', 3n, 2000n)

  t.same(allocateTotals([merged, line('2', 1n, 1000n)], 3000n), {
    lines: [line('1', 3n, 1998n), line('2', 1n, 1002n)],
    rest: 0n
  })
  t.same(allocateTotals([merged], 2000n), { lines: [line('1', 3n, 1998n)], rest: 2n })
  t.same(addRest([line('2', 1n, 5n), line('1', 3n, 1998n)], 2n), [line('2', 1n, 5n), line('1', 3n, 2000n)])
})
