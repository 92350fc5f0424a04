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

t.test('the first maintenance of a process vacuums: nobody counted the writes before it', async t => {
  const { query } = driver.database
  const countVacuums = async (): Promise<number> => {
    const [row] = await query<
      { count: number }
    >("select vacuum_count::integer as count from pg_stat_user_tables where relname = 'stream_messages'")
    return row?.count ?? 0
  }
  const before = await countVacuums()
  const streams = await driver.openAnother()

  await streams.maintain()
  await streams.maintain()

  t.equal(await countVacuums() - before, 1)
})
