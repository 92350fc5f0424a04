import { randomUUID } from 'node:crypto'
import t from 'tap'
import { encodeCursor } from '../../src/http/paging.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { openConnections } from './open-connections.ts'

t.test('finding connections', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { connections } = openConnections(jobs, [])

  t.test('a connection that does not exist is an error for those who need it', async t => {
    const id = randomUUID()

    t.equal(await connections.find(id), undefined)
    await t.rejects(connections.get(id), { code: 'LNK_CONNECTION_NOT_FOUND', statusCode: 404 })
    await t.rejects(connections.getEnabled(id), { code: 'LNK_CONNECTION_NOT_FOUND' })
  })

  t.test('a disabled connection is refused for new work; one in error is not', async t => {
    const [disabled, failing] = [await jobs.addConnection('disabled'), await jobs.addConnection('error')]

    await t.rejects(connections.getEnabled(disabled), { code: 'LNK_CONNECTION_DISABLED' })
    t.equal((await connections.getEnabled(failing)).id, failing)
    t.equal((await connections.get(disabled)).id, disabled)
  })

  t.test('pages neither repeat nor leave out connections that were created at the same time', async t => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => jobs.addConnection()))
    await jobs.database.query("update connections set created_at = '2026-01-31 09:59:33.912+00'")
    const listed: string[] = []
    let cursor: string | undefined
    for (let page = await connections.list({ limit: 2 }); page.length > 0;) {
      listed.push(...page.map(({ id }) => id))
      const last = page.at(-1)
      cursor = encodeCursor({ createdAt: last?.createdAt.toISOString() ?? '', id: last?.id ?? '' })
      page = await connections.list({ limit: 2, cursor })
    }

    t.strictSame(listed, ids.toSorted())
  })

  t.test('a cursor that this API did not make is refused', async t => {
    await t.rejects(connections.list({ limit: 2, cursor: 'x' }), { code: 'LNK_REQUEST_INVALID' })
  })
})
