import t from 'tap'
import { openDatabase } from '../../src/database/database.ts'
import { inboundStream } from '../../src/streams/port.ts'
import { createTableStreams } from '../../src/streams/postgres.ts'
import { testConsumers } from '../events/consumers-contract.ts'
import { testStreamContract } from './contract.ts'
import { read } from './contract/messages.ts'
import { leaveOut, openTableDriver, silentLog } from './drivers.ts'
import { testTables } from './table-contract.ts'

const serverUrl = process.env.LINKER_TEST_DATABASE_URL

if (serverUrl === undefined) {
  leaveOut(t, 'PostgreSQL (LINKER_TEST_DATABASE_URL is not set)')
} else {
  const driver = await openTableDriver(serverUrl)
  t.teardown(driver.close)
  testStreamContract(t, driver)
  testTables(t, driver)
  testConsumers(t, driver)

  t.test('an entry that another process is taking does not hold up the others', async t => {
    await driver.clear()
    const ids = [await driver.add(inboundStream, { name: 'one' }), await driver.add(inboundStream, { name: 'two' })]

    await driver.database.transaction(async ({ query }) => {
      await query('select 1 from stream_messages where id = $1 for update', [ids[0]])
      t.strictSame((await read(driver.streams)).map(entry => entry.id), [ids[1]])
    })

    t.strictSame((await read(driver.streams)).map(entry => entry.id), [ids[0]])
  })

  t.test('a server that may lose confirmed writes is named', async t => {
    t.strictSame(await driver.streams.inspect(), [])

    await driver.database
      .query(`alter database "${new URL(driver.databaseUrl ?? '').pathname.slice(1)}" set synchronous_commit = off`)
    const database = await openDatabase({
      ...(driver.databaseUrl === undefined ? {} : { databaseUrl: driver.databaseUrl }),
      dataDirectory: ''
    }, silentLog)
    t.teardown(database.close)

    t.match(await createTableStreams({ database, log: silentLog }).inspect(), [{ message: /synchronous_commit off/ }])
  })
}
