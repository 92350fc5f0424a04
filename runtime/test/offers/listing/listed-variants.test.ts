import t from 'tap'
import type { Query } from '../../../src/database/database.ts'
import { readListed } from '../../../src/offers/listing/listed-variants.ts'

t.test('the first quantity of an offer is what the master has left to sell, or unknown', async t => {
  const rows = [
    { variantId: 'plenty', stock: 5, reserved: 2 },
    { variantId: 'sold out', stock: 1, reserved: 3 },
    { variantId: 'backorders', stock: -4, reserved: 0 },
    { variantId: 'untold', stock: null, reserved: null }
  ]
  const query: Query = async <Row extends object>() => rows as object[] as Row[]
  const listed = await readListed(query, 'connection', rows.map(({ variantId }) => variantId))

  t.strictSame(Array.from(listed, ([id, { quantity }]) => [id, quantity]), [
    ['plenty', 3],
    ['sold out', 0],
    ['backorders', 0],
    ['untold', null]
  ])
})
