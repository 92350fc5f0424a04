import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { AdapterRecord } from '../../../src/adapters/load.ts'
import { openSession } from '../../../src/cli/dev/session.ts'
import { fakeAdapter } from '../../connections/support.ts'

const manifest = {
  name: 'feed',
  version: '1.0.0',
  scripts: { build: 'true' },
  exports: './index.js',
  engines: { linker: '^0.1.0' },
  linker: { adapterKey: 'feed.api.v1', platformType: 'feed', displayName: 'Feed', capabilities: [] }
}

async function open (t: Test, swap: () => Promise<Partial<AdapterRecord>>, builds = false) {
  const directory = await mkdtemp(join(tmpdir(), 'linker-session-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const write = (content: string): Promise<void> => writeFile(join(directory, 'package.json'), content)
  await write(JSON.stringify(manifest))
  const said: string[] = []
  const session = openSession({
    directory,
    builds,
    swap: async ({ packageName, isRequired }) => ({ packageName, isRequired, ...await swap() }),
    follow: async () => ['connection dev: ok'],
    now: () => new Date(2026, 10, 27, 8, 0, said.length),
    say: text => {
      said.push(text)
    }
  })
  const load = async (): Promise<void> => {
    session.reload(performance.now())
    await session.settled()
  }
  return { session, load, said, write }
}

const broken = { state: 'failed', code: 'LNK_ADAPTER_IMPORT_FAILED', message: 'its import failed: oh' } as const

t.test('a load that works is told with its time, and what the connection did', async t => {
  const adapter = fakeAdapter({ capabilities: ['ProductMaster'] })
  const { session, load, said } = await open(t, async () => ({ adapter }))
  await load()

  t.match(said[0], /^08:00:00 {2}feed\.api\.v1@1\.0\.0 serves with ProductMaster \(\d+ ms\)$/)
  t.equal(said[1], '          connection dev: ok')
  t.equal(session.serving(), adapter)
})

t.test('a load that fails says so, and that the last good code goes on', async t => {
  const adapter = fakeAdapter()
  const answers: Partial<AdapterRecord>[] = [{ problem: broken }, { adapter }, { problem: broken }]
  const { session, load, said, write } = await open(t, async () => answers.shift() ?? {})
  await load()
  t.match(said[0], /^08:00:00 {2}LNK_ADAPTER_IMPORT_FAILED: its import failed: oh\n {10}remedy: .*\n/)
  t.match(said[0], /no code of the folder serves yet$/)

  await load()
  await load()
  t.match(said.at(-1), /LNK_ADAPTER_IMPORT_FAILED[^]*\n {10}the code of 08:00:01 goes on serving$/)
  t.equal(session.serving(), adapter)

  await write('{')
  await load()
  t.match(said.at(-1), /LNK_ADAPTER_MANIFEST_INVALID[^]*goes on serving$/)
})

t.test('a build that changes watched files does not start itself for ever, and the next save starts it', async t => {
  let loads = 0
  const { session, load, said } = await open(t, async () => {
    loads += 1
    session.reload(performance.now())
    return { adapter: fakeAdapter() }
  }, true)
  await load()

  t.equal(loads, 3)
  t.equal(said.filter(text => text.startsWith('files changed during')).length, 1)
  await load()
  t.equal(loads, 6)
})

t.test('saves during a load become one load after it', async t => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  let loads = 0
  const { session } = await open(t, async () => {
    loads += 1
    if (loads === 1) await held
    return { adapter: fakeAdapter() }
  })
  session.reload(performance.now())
  session.reload(performance.now())
  session.reload(performance.now())
  release()
  await session.settled()

  t.equal(loads, 2)
})
