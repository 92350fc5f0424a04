import type { Product } from '@linker/sdk'
import t from 'tap'
import { productIdOf, variantIdOf } from '../../src/catalog/identity.ts'
import { recordProducts, recordReferences } from '../../src/catalog/record-products.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'

type Row = Readonly<Record<string, unknown>>

const price = { amount: '10.00', currency: 'PLN' }
const mug: Product = {
  externalId: 'p',
  name: 'Mug',
  description: 'A mug',
  isActive: true,
  imageUrls: ['https://shop.test/mug.jpg'],
  variants: [{
    externalId: 'v',
    name: 'red',
    sku: 'MUG-RED',
    price,
    taxRate: '23',
    options: [{ name: 'Colour', value: 'red' }],
    imageUrls: ['https://shop.test/red.jpg']
  }]
}

t.test('recorded products', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database } = jobs
  const { query } = database
  const products = () => query<Row>('select * from products order by external_id')
  const variants = () => query<Row>('select * from variants order by external_id')

  t.test('replace what an earlier reading said, except a price and a tax that the shop does not tell', async t => {
    const shop = await jobs.addConnection()
    await recordProducts(database, shop, [mug])
    t.match(await products(), [{
      id: productIdOf(shop, 'p'),
      connection_id: shop,
      name: 'Mug',
      description: 'A mug',
      is_active: true,
      image_urls: mug.imageUrls
    }])
    t.match(await variants(), [{
      id: variantIdOf(shop, 'p', 'v'),
      product_id: productIdOf(shop, 'p'),
      name: 'red',
      sku: 'MUG-RED',
      ean: null,
      price,
      tax_rate: '23',
      options: [{ name: 'Colour', value: 'red' }],
      image_urls: ['https://shop.test/red.jpg']
    }])

    await recordProducts(database, shop, [{
      externalId: 'p',
      name: 'Cup',
      isActive: false,
      variants: [{ externalId: 'v' }, { externalId: 'w' }]
    }])
    const [product, ...otherProducts] = await products()
    const [variant, ...otherVariants] = await variants()
    t.match(product, { name: 'Cup', description: null, is_active: false })
    t.match(variant, { name: null, sku: null, price, tax_rate: '23' })
    const lists = [product?.image_urls, variant?.options, variant?.image_urls]
    t.strictSame(lists, [[], [], []])
    t.equal(otherProducts.length, 0)
    t.match(otherVariants, [{ external_id: 'w', price: null, tax_rate: null }])
  })

  t.test('bring missing ones back', async t => {
    const shop = await jobs.addConnection()
    await recordProducts(database, shop, [mug])
    await query('update products set missing_at = now()')
    await query('update variants set missing_at = now()')
    await recordProducts(database, shop, [mug])

    t.match([...await products(), ...await variants()], [{ missing_at: null }, { missing_at: null }])
  })

  t.test('are stored although a variant is named twice or a text cannot be stored', async t => {
    const shop = await jobs.addConnection()
    const named = (name: string) => ({ externalId: 'v', name })
    await recordProducts(database, shop, [{ ...mug, name: 'Mug\0', variants: [named('first'), named('last')] }])

    t.match(await products(), [{ name: 'Mug\ufffd' }])
    t.strictSame((await variants()).map(({ name }) => name), ['last'])
  })

  t.test('are known by reference before the hub has read them, and keep what is known', async t => {
    const shop = await jobs.addConnection()
    await recordProducts(database, shop, [mug])
    const reference = (productExternalId: string, variantExternalId: string) => ({
      connectionId: shop,
      productExternalId,
      variantExternalId
    })
    const references = [reference('p', 'v'), reference('p', 'w'), reference('q', 'v'), reference('q', 'v')]

    t.strictSame(await recordReferences(database, references), {
      newProducts: new Set([productIdOf(shop, 'q')]),
      newVariants: new Set([variantIdOf(shop, 'p', 'w'), variantIdOf(shop, 'q', 'v')])
    })
    t.strictSame((await products()).map(({ name }) => name), ['Mug', null])
    t.strictSame(await recordReferences(database, references), { newProducts: new Set(), newVariants: new Set() })
  })
})
