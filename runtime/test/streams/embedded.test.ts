import t from 'tap'
import { testConsumers } from '../events/consumers-contract.ts'
import { testStreamContract } from './contract.ts'
import { openTableDriver } from './drivers.ts'
import { testTables } from './table-contract.ts'

const driver = await openTableDriver()
t.teardown(driver.close)

testStreamContract(t, driver)
testTables(t, driver)
testConsumers(t, driver)

t.test('the embedded database gives no warning', async t => {
  t.strictSame(await driver.streams.inspect(), [])
})
