import t from 'tap'
import { readCursors, storeCursors } from '../../src/adapters/store.ts'
import { moveJournalCursor, readJournalCursor } from '../../src/orders/journal-cursor.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'

t.test('the cursor of an order journal', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database

  t.test('moves only from where its reader found it', async t => {
    const market = await jobs.addConnection()
    t.equal(await readJournalCursor(query, market), undefined)
    t.equal(await moveJournalCursor(query, market, '0', '5'), false)
    t.equal(await moveJournalCursor(query, market, undefined, '5'), true)
    t.equal(await moveJournalCursor(query, market, undefined, '9'), false, 'another run was first')
    t.equal(await readJournalCursor(query, market), '5')

    t.equal(await moveJournalCursor(query, market, '5', '9'), true)
    t.equal(await moveJournalCursor(query, market, '5', '7'), false)
    t.equal(await readJournalCursor(query, market), '9')
  })

  t.test('stands beside the cursors of the adapter, and each connection has its own', async t => {
    const [market, other] = [await jobs.addConnection(), await jobs.addConnection()]
    await storeCursors(query, market, { inbox: '7' })
    await moveJournalCursor(query, market, undefined, '5')

    t.strictSame(await readCursors(query, market), { inbox: '7', orders: '5' })
    t.equal(await readJournalCursor(query, other), undefined)
  })
})
