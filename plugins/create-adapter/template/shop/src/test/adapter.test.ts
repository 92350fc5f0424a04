import { createTestHost } from '@linker/sdk/testing'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import adapter from '../index.ts'
import { apiKey, startPlatform } from './platform.ts'

const { linker: manifest } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
const platform = await startPlatform()
const host = createTestHost()
const connect = (id: string, key: string) =>
  host.open({
    manifest,
    definition: adapter,
    connection: { id },
    config: { baseUrl: platform.baseUrl },
    credentials: { apiKey: key }
  })
const shop = await connect('first', apiKey)

after(async () => {
  await host.close()
  platform.close()
})

test('the connection test names the account', async () => {
  assert.deepEqual(await shop.test(), { message: 'the key opens the account of Test' })
  assert.deepEqual(await shop.account(), { id: 'A-1', name: 'Test' })
})

test('a refused key is an authentication error', async () => {
  const other = await connect('second', 'another-key')

  await assert.rejects(other.test(), { code: 'LNK_ADAPTER_AUTHENTICATION' })
})

test('a product is read with its price', async () => {
  assert.deepEqual(await shop.ProductMaster.getProduct('1'), {
    externalId: '1',
    name: 'Mug',
    isActive: true,
    variants: [{ externalId: '1', price: { amount: '9.99', currency: 'EUR' } }]
  })
})

test('a product that the shop does not have is not found', async () => {
  await assert.rejects(shop.ProductMaster.getProduct('99'), { code: 'LNK_ADAPTER_NOT_FOUND' })
})

test('stock is listed to the last page', async () => {
  const first = await shop.InventoryMaster.listStock({ limit: 2 })
  const last = await shop.InventoryMaster.listStock({ limit: 2, cursor: first.nextCursor })

  assert.deepEqual(first.items, [
    { productExternalId: '1', variantExternalId: '1', quantity: 5, sellable: true },
    { productExternalId: '2', variantExternalId: '2', quantity: 0, sellable: true }
  ])
  assert.deepEqual(last.items, [{ productExternalId: '3', variantExternalId: '3', quantity: 12, sellable: false }])
  assert.equal(last.nextCursor, undefined)
})
