import t from 'tap'
import { findMisfits, mergeSettings, settingsSchemaFor } from '../../../src/connections/settings/rules.ts'

t.test('a setting that does not fit the capabilities is named', async t => {
  t.match(findMisfits({ sellsInactive: true, orderPollDays: 5 }, ['InventoryMaster', 'OrderProcessorManager']), [
    { pointer: '/settings/sellsInactive', code: 'capability', message: /OfferManager or Marketplace.*InventoryMaster/ }
  ])
  t.strictSame(findMisfits({ sellsInactive: null }, []), [], 'it may be removed')
})

t.test('null removes a setting, and the others stay', async t => {
  t.strictSame(mergeSettings({ shipsWithin: 48, sellsInactive: true }, { shipsWithin: null, sellsInactive: false }), {
    sellsInactive: false
  })
})

t.test('a form shows only the settings of the capabilities', async t => {
  const members = (...capabilities: string[]) => Object.keys(settingsSchemaFor(capabilities).properties ?? {})

  t.strictSame(members('OfferManager', 'OrderSource'), ['sellsInactive', 'shipsWithin'])
  t.strictSame(members('InventoryMaster', 'OrderProcessorManager'), ['confirmStockJump', 'orderPollDays'])
  t.strictSame(members('ShippingProvider'), [])
})
