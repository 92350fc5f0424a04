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
const connection = await connect('first', apiKey)
const marketplace = connection.Marketplace

after(async () => {
  await host.close()
  platform.close()
})

test('the connection test names the account', async () => {
  assert.deepEqual(await connection.test(), { message: 'the key opens the account of Test' })
  assert.deepEqual(await connection.account(), { id: 'A-1', name: 'Test' })
})

test('a refused key is an authentication error', async () => {
  const other = await connect('second', 'another-key')

  await assert.rejects(other.test(), { code: 'LNK_ADAPTER_AUTHENTICATION' })
})

test('offers are listed to the last page', async () => {
  const first = await marketplace.listOffers({ limit: 2 })
  const last = await marketplace.listOffers({ limit: 2, cursor: first.nextCursor })

  assert.deepEqual(first.items.map(({ externalId, status }) => [externalId, status]), [
    ['mug', 'ACTIVE'],
    ['lamp', 'INACTIVE']
  ])
  assert.deepEqual(last.items.map(({ externalId }) => externalId), ['chair'])
  assert.equal(last.nextCursor, undefined)
})

test('a quantity reaches the offer', async () => {
  const written = await marketplace.updateOfferQuantity({ externalId: 'lamp', quantity: 3, commandId: 'c-1' })
  const { items } = await marketplace.listOffers({ limit: 10 })

  assert.deepEqual(written, { applied: ['stock'], frozen: [] })
  assert.equal(items.find(({ externalId }) => externalId === 'lamp')?.quantity, 3)
})

test('the journal is read from its cursor on', async () => {
  const first = await marketplace.listOrderEvents({ limit: 1 })
  const last = await marketplace.listOrderEvents({ limit: 1, cursor: first.cursor })

  assert.deepEqual([first.events.map(({ eventId }) => eventId), first.hasMore], [['e1'], true])
  assert.deepEqual([last.events.map(({ eventId }) => eventId), last.hasMore], [['e2'], false])
  assert.equal((await marketplace.listOrderEvents({ limit: 1, cursor: 'e2' })).cursor, 'e2')
})

test('an order is read with its lines and its address', async () => {
  const order = await marketplace.getOrder('1001')

  assert.equal(order.status, 'processing')
  assert.deepEqual(order.lines, [{
    externalId: '1001-1',
    offerExternalId: 'mug',
    name: 'Mug',
    quantity: 2,
    unitPrice: { amount: '9.99', currency: 'EUR' }
  }])
  assert.equal(order.shipping.address?.city, 'Warszawa')
})

test('an order that the marketplace does not have is not found', async () => {
  await assert.rejects(marketplace.getOrder('9999'), { code: 'LNK_ADAPTER_NOT_FOUND' })
})
