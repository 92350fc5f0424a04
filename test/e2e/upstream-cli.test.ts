import t from 'tap'
import { refused } from '../support/command.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { readChapter } from '../support/runtime-docs.ts'

/** The words of a command, as a shell finds them. */
const wordsOf = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain)

t.test('linker connections upstream', async t => {
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env) })
  const id = await hub.connect('shopa', { name: 'My shop' })
  const run = (...args: string[]) => runLinker([...args, '--url', hub.url, '--token', hub.keys.admin], hub.directory)
  const linker = (...args: string[]) => run('connections', 'upstream', ...args)

  t.test('the commands of the documentation do and print what it says', async t => {
    const text = await readChapter('connections', 'The traffic to a platform')
    const [, block = ''] = /^```sh\n(.*?)^```$/ms.exec(text) ?? []
    const [, printed = ''] = /^```text\n(.*?)^```$/ms.exec(text) ?? []
    const undated = (output: string): string => output.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, '<time>')
    const [limit = '', show = '', unlimit = '', reset = '', ...more] = block.trim().split('\n')
    const example = (command: string) => run(...wordsOf(command.replace(/^npx linker /, '')))
    t.strictSame(more, [])

    const limited = await example(limit)
    const shown = await example(show)
    const unlimited = await example(unlimit)
    const fresh = await example(reset)

    t.strictSame([limited, shown].map(({ code, stdout }) => [code, undated(stdout)]), [
      [0, undated(printed)],
      [0, undated(printed)]
    ])
    t.match(fresh, { code: 0, stdout: /^breaker +closed$/m })
    t.match(unlimited, { code: 0, stdout: /^limit +none: the hub sends as fast as the jobs need\n/m })
    const { json } = await hub.call('GET', `/audit?connectionId=${id}&action=connection.budget`)
    t.match(json, [{ changes: [{ from: { burst: 5 } }] }, { changes: [{ to: { reason: /^the cash desk/ } }] }])
  })

  t.test('all take a name or an id, and print JSON', async t => {
    const own = { ratePerSecond: 0.5, burst: 1 }
    const limited = await linker('limit', id, '--rate', '0.5', '--burst', '1', '--json')
    const shown = await linker('show', id, '--json')
    const reset = await linker('reset', 'My shop', '--json')
    const unlimited = await linker('unlimit', 'My shop', '--json')

    const answers = [limited, shown, reset, unlimited].map(({ code, stdout }) => [code, JSON.parse(stdout)])
    t.match(answers, [
      [0, { connectionId: id, budget: { own, effective: own } }],
      [0, { budget: { own } }],
      [0, { budget: { own }, breaker: { state: 'closed' } }],
      [0, { budget: { own: null, effective: null } }]
    ])
  })

  t.test('a limit that cannot be is refused and changes nothing', async t => {
    const limit = (...args: string[]) => linker('limit', 'My shop', ...args)

    refused(t, await limit('--rate', '5'), /required option '--burst <n>' not specified/)
    refused(t, await limit('--rate', 'fast', '--burst', '1'), /give a number such as 5 or 0\.5/)
    refused(t, await limit('--rate', '0', '--burst', '1'), /400 LNK_REQUEST_INVALID.*\/ratePerSecond: .*0\.001/s)
    refused(t, await limit('--rate', '5', '--burst', '1.5'), /400 LNK_REQUEST_INVALID.*\/burst: .*integer/s)
    refused(t, await linker('show', 'Other'), /no connection is called 'Other'; existing names: 'My shop'/)
    refused(t, await linker('reset', '00000000-0000-4000-8000-000000000000'), /404 LNK_CONNECTION_NOT_FOUND/)
    const { json } = await hub.call('GET', `/connections/${id}/upstream`)
    t.match(json, { budget: { own: null } })
  })
})
