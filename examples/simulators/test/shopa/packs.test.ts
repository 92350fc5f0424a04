import { sampleProducts } from '@linker/simulators'
import t from 'tap'
import { addPackSetting, takenBy } from '../../src/shopa/packs.ts'
import type { ProductInput } from '../../src/shopa/product-rows.ts'
import { createState } from '../../src/shopa/state.ts'
import { openShop } from '../support.ts'

/** Two red mugs and a plate. */
const pack = (stockType: string): ProductInput => ({
  id: 50,
  name: 'Set',
  quantity: 3,
  fields: { reference: 'SET', price: '150.000000', pack_stock_type: stockType },
  pack: [{ productId: 27, combinationId: 101, quantity: 2 }, { productId: 28, quantity: 1 }]
})

t.test('a pack shows its type, its parts and its own row', async t => {
  const { get } = await openShop(t, { products: [...sampleProducts, pack('3')] })

  t.match((await get('/products?filter[id]=[50]&display=full')).json(), {
    products: [{
      type: 'pack',
      product_type: 'pack',
      pack_stock_type: '3',
      associations: {
        product_bundle: [
          { id: '27', id_product_attribute: '101', quantity: '2' },
          { id: '28', id_product_attribute: '0', quantity: '1' }
        ]
      }
    }]
  })
  t.match((await get('/stock_availables?filter[id_product]=[50]&display=full')).json(), {
    stock_availables: [{ quantity: '3' }]
  })
  t.match((await get('/configurations?filter[name]=%25[PACK_STOCK_TYPE]&display=full')).json(), {
    configurations: [{ value: '0' }]
  })
})

t.test('the type of a pack, or the general setting, says what the shop sells of it', async t => {
  // Eight red mugs make four packs, twenty plates make twenty, and the row says three.
  const cases: Array<[type: string, general: 0 | 1 | 2, sold: number]> = [
    ['0', 1, 3],
    ['1', 0, 4],
    ['2', 0, 3],
    ['3', 0, 3],
    ['3', 1, 4],
    ['3', 2, 3]
  ]
  for (const [type, general, sold] of cases) {
    const { shop } = await openShop(t, { products: [...sampleProducts, pack(type)] })
    shop.setPackStock(general)
    t.equal(shop.sellableOf(50, 0), sold, `type ${type}, setting ${general}`)

    shop.setQuantity(27, 101, 1)
    t.equal(shop.sellableOf(50, 0), sold === 4 ? 0 : type === '2' || general === 2 ? 0 : 3)
  }
})

t.test('an order of a pack takes the rows that count', async t => {
  const takenOf = (type: string) => {
    const state = createState(() => '2025-01-01 10:00:00')
    for (const product of [...sampleProducts, pack(type)]) state.addProduct(product)
    addPackSetting(state)
    return takenBy(state, 50, 0, 2)
  }
  const own = { productId: 50, combinationId: 0, pieces: 2 }
  const parts = [{ productId: 27, combinationId: 101, pieces: 4 }, { productId: 28, combinationId: 0, pieces: 2 }]

  t.strictSame(takenOf('0'), [own])
  t.strictSame(takenOf('1'), parts)
  t.strictSame(takenOf('2'), [own, ...parts])
  t.strictSame(takenOf('3'), [own])
})

t.test('the shop sells nothing of a product that is switched off or not for order, and keeps its stock', async t => {
  const { shop } = await openShop(t)

  for (const column of ['active', 'available_for_order']) {
    shop.updateProduct(28, { [column]: '0' })
    t.equal(shop.sellableOf(28, 0), 0)
    t.equal(shop.stockOf(28, 0), 20)
    shop.updateProduct(28, { [column]: '1' })
  }
  t.equal(shop.sellableOf(28, 0), 20)
})
