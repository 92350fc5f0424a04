import t from 'tap'
import type { Query } from '../../src/database/database.ts'
import { encodeCursor } from '../../src/http/paging.ts'
import { listStock } from '../../src/stock/read-stock.ts'
import type { StockRow } from '../../src/stock/store.ts'

const offer = {
  offerId: 'offer',
  connectionId: 'market',
  quantity: 5,
  upstreamQuantity: null,
  buffer: 0,
  maxListed: null,
  sellsInactive: false,
  frozenFields: []
}
const row: StockRow = {
  id: 'variant',
  createdAt: '2026-01-31T10:00:00.000Z',
  name: 'Mug',
  sku: 'SKU-1',
  ean: null,
  quantity: 5,
  reserved: 1,
  isCounted: true,
  isSellable: true,
  confirmedQuantity: null,
  jumpedAt: null,
  sharedStockId: null,
  version: 3,
  missingSince: null,
  updatedAt: '2026-01-31T11:00:00.000Z',
  offers: []
}

/** Lists stock that is stored as one row with these offers. */
async function list (offers: StockRow['offers'], cursor?: string) {
  const asked: unknown[] = []
  const query: Query = async <Row extends object>(_text: string, values: readonly unknown[] = []) => {
    asked.push(values)
    return [{ ...row, offers }] as object[] as Row[]
  }
  const found = await listStock(query, { limit: 50, ...(cursor === undefined ? {} : { cursor }) })
  return { found, asked }
}

t.test('the view of a variant does not show where its page ends, the position does', async t => {
  const { found } = await list([])
  t.strictSame(found, [{
    position: { id: 'variant', createdAt: row.createdAt },
    view: {
      variantId: 'variant',
      name: 'Mug',
      sku: 'SKU-1',
      ean: null,
      quantity: 5,
      reserved: 1,
      isCounted: true,
      isSellable: true,
      confirmedQuantity: null,
      jumpedAt: null,
      sharedStockId: null,
      version: 3,
      missingSince: null,
      updatedAt: row.updatedAt,
      offers: []
    }
  }])
})

t.test('the drift of an offer is what it should show less what was last written', async t => {
  const { found } = await list([
    { ...offer, quantity: 4 },
    { ...offer, quantity: 5 },
    { ...offer, quantity: 1, buffer: 1, maxListed: 2 },
    { ...offer, quantity: null }
  ])
  t.strictSame(
    found[0]?.view.offers.map(({ wantedQuantity, sentQuantity, drift }) => [wantedQuantity, sentQuantity, drift]),
    [[4, 4, 0], [4, 5, -1], [2, 1, 1], [4, null, null]]
  )
})

t.test('an offer that sells more than the master has left is warned of', async t => {
  const { found } = await list([{ ...offer, frozenFields: ['stock'], upstreamQuantity: 6 }, offer])
  t.strictSame(found[0]?.view.offers.map(({ warnings }) => warnings.map(({ code }) => code)), [
    ['stock-frozen', 'oversell'],
    []
  ])
})

t.test('a page begins after the position in its cursor', async t => {
  const id = '00000000-0000-4000-8000-000000000001'
  const { asked } = await list([], encodeCursor({ id, createdAt: row.createdAt }))

  t.strictSame(asked, [[row.createdAt, id, 50]])
  await t.rejects(list([], 'nonsense'), { code: 'LNK_REQUEST_INVALID' })
})
