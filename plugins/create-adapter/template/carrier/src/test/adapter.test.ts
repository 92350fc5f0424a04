import { carrierCapability } from '@linker/sdk'
import { createTestHost } from '@linker/sdk/testing'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import adapter from '../index.ts'
import { apiKey, move, startPlatform } from './platform.ts'

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
const carrier = connection[carrierCapability]

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

const recipient = { lastName: 'Nowak', street: 'Prosta 1', postcode: '00-001', city: 'Warszawa', country: 'PL' }
const ship = (reference: string) =>
  carrier.createShipment({ methodId: 'courier', recipient, contents: '1 × Mug' }, { reference })

test('a repeated reference makes no second parcel', async () => {
  const first = await ship('order-1')

  assert.equal(first.tracking.number, 'P000000001')
  assert.deepEqual(await ship('order-1'), first)
})

test('a parcel has a label', async () => {
  const { externalId } = await ship('order-2')
  const { mediaType, contentBase64 } = await carrier.getLabel(externalId)

  assert.equal(mediaType, 'text/plain')
  assert.equal(atob(contentBase64), `Parcel ${externalId}`)
})

test('a parcel on its way is tracked and cannot be cancelled', async () => {
  const { externalId, tracking } = await ship('order-3')
  move(externalId, 'moving')

  assert.deepEqual(await carrier.getTracking(externalId), { status: 'in-transit', tracking })
  await assert.rejects(carrier.cancelShipment(externalId), { code: 'LNK_ADAPTER_REJECTED' })
})

test('a parcel is cancelled once, and again without harm', async () => {
  const { externalId, tracking } = await ship('order-4')
  await carrier.cancelShipment(externalId)
  await carrier.cancelShipment(externalId)

  assert.deepEqual(await carrier.getTracking(externalId), { status: 'cancelled', tracking })
})
