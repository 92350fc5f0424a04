import { randomUUID } from 'node:crypto'
import t from 'tap'
import { refused } from '../support/command.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { createMover } from '../support/moves.ts'

const insertOrder = `
  insert into orders (
    id, connection_id, external_id, status, source_status, revision, snapshot, placed_at, created_at, updated_at
  )
  values ($1, $2, '1', 'pending', 'pending', '1', '{}', now(), now(), now())`

t.test('linker connections delete', async t => {
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env) })
  const { setCursor } = createMover(hub)
  const run = (...args: string[]) => runLinker([...args, '--url', hub.url, '--token', hub.keys.admin], hub.directory)
  const linker = (...args: string[]) => run('connections', ...args)

  await t.test('a dry run prints what would be deleted, and exits with 1 when something stands in the way', async t => {
    const id = await hub.connect('mktb', { name: 'Mistyped' })
    await setCursor(id, 'orders', '17')
    const active = await linker('delete', 'Mistyped', '--dry-run')
    const refusal = await linker('delete', 'Mistyped')
    await hub.call('PATCH', `/connections/${id}/disable`)
    const planned = await linker('delete', 'Mistyped', '--dry-run')

    t.match(active, {
      code: 1,
      stdout: /^would delete Mistyped \([-\w]+\)\n[^]*in the way: its status is 'active'.*\n$/
    })
    refused(
      t,
      refusal,
      /409 LNK_DELETION_REFUSED: its status is 'active': .*`linker connections disable Mistyped`.*\n$/
    )
    t.match(planned, { code: 0, stdout: /\ncursors +1 +would stay\n/ })
    t.equal((await hub.call('GET', `/connections/${id}`)).status, 200)
  })

  await t.test('it deletes by name or id, and the list of the deleted shows the name', async t => {
    const other = await hub.connect('mktb', { name: 'Other', status: 'disabled' })
    const byName = await linker('delete', 'Mistyped')
    const byId = await linker('delete', other, '--json')
    const again = await linker('delete', other)
    const deleted = await linker('list', '--deleted')

    t.match(byName, { code: 0, stdout: /^deleted Mistyped \([-\w]+\)\nWHAT +NUMBER +FATE\n[^]*cursors +1 +stayed\n/ })
    t.match(JSON.parse(byId.stdout), { id: other, deleted: true })
    refused(t, again, /404 LNK_CONNECTION_NOT_FOUND/)
    refused(t, await linker('delete', 'Mistyped'), /no connection is called 'Mistyped'; existing names: none\n$/)
    t.match(deleted.stdout, /^ID +PLATFORM +NAME +ADAPTER +DELETED\n\S+ +mktb +Mistyped .*\n\S+ +mktb +Other .*\n$/)
    t.match((await run('audit', '--action', 'connection.delete')).stdout, /connection\.delete +Other /)
    t.match((await run('audit', '--connection', 'Other')).stdout, /connection\.delete +Other /)
    t.match(await run('audit', '--limit', '1'), { code: 0, stdout: /^TIME .*\n.*\n$/ })
    t.match(await run('audit', '--limit', '0'), { code: 1, stderr: /give a number from 1 to 999999/ })
    t.match(await run('jobs', 'list', '--connection', 'Other'), { code: 0, stdout: /^JOB / })
    t.match(await run('orders', 'list', '--connection', 'Other'), { code: 0 })
  })

  await t.test('open orders need --force', async t => {
    const id = await hub.connect('mktb', { name: 'With orders', status: 'disabled' })
    await hub.database().query(insertOrder, [randomUUID(), id])
    const refusal = await linker('delete', 'With orders')
    const planned = await linker('delete', 'With orders', '--dry-run', '--force')
    const forced = await linker('delete', 'With orders', '--force')

    refused(
      t,
      refusal,
      /409 LNK_DELETION_REFUSED.*open orders \(1\).*`linker connections delete "With orders" --force`/s
    )
    t.match(planned, { code: 0, stdout: /\nopen orders that still need it: 1\n$/ })
    t.match(forced, { code: 0, stdout: /^deleted With orders [^]*\norders +1 +stayed\n[^]*still need it: 1\n$/ })
  })
})
