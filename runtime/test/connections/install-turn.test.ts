import t from 'tap'
import { inTurn } from '../../src/connections/install-turn.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'

t.test('installs of webhooks', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database
  const markOf = async (id: string): Promise<unknown> =>
    (await query<{ mark: unknown }>('select installing_until::text as mark from connections where id = $1', [id]))[0]
      ?.mark

  t.test('of one connection come one after the other; those of another do not wait', async t => {
    const [id, other] = [await jobs.addConnection(), await jobs.addConnection()]
    const order: string[] = []
    const release = Promise.withResolvers<void>()
    const entered = Promise.withResolvers<void>()
    const first = inTurn(query, id, async () => {
      entered.resolve()
      await release.promise
      order.push('first')
    })
    await entered.promise
    const second = inTurn(query, id, async () => {
      order.push('second')
    })
    await inTurn(query, other, async () => {
      order.push('other')
    })
    release.resolve()
    await Promise.all([first, second])

    t.strictSame(order, ['other', 'first', 'second'])
    t.equal(await markOf(id), null)
  })

  t.test('an install that fails gives its turn back', async t => {
    const id = await jobs.addConnection()
    await t.rejects(inTurn(query, id, () => Promise.reject(new Error('refused'))), /refused/)

    t.equal(await markOf(id), null)
  })

  t.test('the mark of a process that died lapses', async t => {
    const id = await jobs.addConnection()
    await query("update connections set installing_until = now() - interval '1 second' where id = $1", [id])

    t.equal(await inTurn(query, id, async () => 'done'), 'done')
  })

  t.test('an install that took too long does not end the turn of its successor', async t => {
    const id = await jobs.addConnection()
    await inTurn(query, id, async () => {
      await query("update connections set installing_until = '2999-01-01' where id = $1", [id])
    })

    t.match(await markOf(id), /^2999/)
  })
})
