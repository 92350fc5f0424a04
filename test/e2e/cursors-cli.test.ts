import t from 'tap'
import { refused } from '../support/command.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { createMover } from '../support/moves.ts'

t.test('linker connections cursors', async t => {
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env) })
  const { setCursor, cursors } = createMover(hub)
  const id = await hub.connect('mktb', { name: 'My market' })
  await setCursor(id, 'orders', '17')
  const linker = (...args: string[]) =>
    runLinker(['connections', 'cursors', ...args, '--url', hub.url, '--token', hub.keys.admin], hub.directory)

  t.test('list shows them, set and reset change them', async t => {
    const table = await linker('list', 'My market')
    const set = await linker('set', 'My market', 'orders', '5')
    const afterSet = await cursors(id)
    const json = await linker('list', id, '--json')
    const reset = await linker('reset', id, 'orders')

    t.match(table, { code: 0, stdout: /^CURSOR +VALUE +UPDATED\norders +17 +\S+Z\n$/ })
    t.match([set, reset], [{ code: 0, stdout: 'set orders\n' }, { code: 0, stdout: 'reset orders\n' }])
    t.strictSame(afterSet, [['orders', '5']])
    t.match(JSON.parse(json.stdout), [{ cursorKey: 'orders', value: '5' }])
    t.strictSame(await cursors(id), [])
  })

  t.test('a mistyped key is refused with a hint, and --create sets it all the same', async t => {
    const mistyped = await linker('set', 'My market', 'order/s', '5')
    const unknown = await linker('reset', 'My market', 'orders')
    const created = await linker('set', 'My market', 'order/s', '5', '--create')

    refused(
      t,
      mistyped,
      /404 LNK_CURSOR_NOT_FOUND: .*'order\/s'\. It has: none\n.* {2}--create sets it all the same\n$/s
    )
    refused(t, unknown, /404 LNK_CURSOR_NOT_FOUND: .*It has: none\n$/)
    t.equal(created.code, 0)
    t.strictSame(await cursors(id), [['order/s', '5']])
    refused(t, await linker('list', 'Other'), /no connection is called 'Other'; existing names: 'My market'/)
  })
})
