import { randomUUID } from 'node:crypto'
import t from 'tap'
import { installShopaVersions, shopaPackages } from '../fixtures/shopa-versions.ts'
import { eventually } from '../support/api.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { readChapter } from '../support/runtime-docs.ts'

/** The commands of the recipe in the documentation, as arguments. */
async function recipe (): Promise<string[][]> {
  const chapter = await readChapter('adapters', 'Replay after a mapping change')
  const [, block = ''] = /```sh\n(.*?)\n```/s.exec(chapter) ?? []
  return block.split('\n').map(line =>
    [...line.replace(/^npx linker /, '').matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word)
  )
}

t.test('events that were ignored before a move are replayed after it, command by command of the recipe', async t => {
  const versions = ['0.6.0-rc.1'] as const
  const hub = await buildTestHub(t, {
    mode: cheapestMode(process.env),
    install: directory => installShopaVersions(directory, versions),
    config: { adapters: shopaPackages(versions) }
  })
  const shop = await hub.connect('shopa', {
    name: 'My shop',
    adapterKey: 'shopa.webservice.v1',
    adapterVersion: '0.1.0'
  })
  const linker = (args: readonly string[]) =>
    runLinker(
      [...args.map(arg => arg === '1.5.0' ? versions[0] : arg), '--url', hub.url, '--token', hub.keys.admin],
      hub.directory
    )
  const [look = [], move = [], plan = [], replay = [], list = [], ...more] = await recipe()
  t.strictSame(more, [], 'no command is left out')
  await hub.deliver(shop, {
    eventType: 'price.changed',
    objectType: 'product',
    externalId: '27',
    eventId: randomUUID()
  })
  await eventually('the ignored delivery', async () => {
    const { json } = await hub.call('GET', '/webhook-deliveries?status=ignored')
    return (json as object[]).length === 1 ? true : undefined
  })

  const newType = / {2}event {5}price\.changed: \(ignored\) → master\.product\.syncByExternalId\n/
  t.match(await linker(look), { code: 0, stdout: newType })
  t.match(await linker(plan), { code: 1, stdout: /^1 delivery matches\n0 would be replayed\n1 stays ignored: unknown/ })
  t.match(await linker(move), { code: 0, stdout: newType })
  t.match(await linker(plan), { code: 0, stdout: /^1 delivery matches\n1 would be replayed\n\n/ })
  t.match(await linker(replay), {
    code: 0,
    stdout: /^1 delivery matches\n1 was replayed\n\n`linker deliveries list .* --replayed true` shows the ends of/
  })
  await eventually('the end of the replay', async () => {
    const { stdout } = await linker(list)
    return / ignored +1, last succeeded /.test(stdout) ? true : undefined
  })

  t.match(await linker(replay), { code: 1, stdout: /^1 delivery matches\n0 were replayed\n1 left out/ })
  t.match(await linker([...replay, '--include-replayed']), {
    code: 0,
    stdout: /^1 delivery matches\n1 was replayed\n/
  })
})
