import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { lockDirectory, lockFileName } from '../../src/database/directory-lock.ts'

const holderScript = fileURLToPath(new URL('./lock-holder.ts', import.meta.url))

async function makeDirectory (t: Test): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-lock-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  return directory
}

t.test('a second holder is refused and told the pid of the first', async t => {
  const directory = await makeDirectory(t)
  const release = await lockDirectory(directory)

  await t.rejects(lockDirectory(directory), { code: 'LNK_DATA_DIRECTORY_LOCKED', message: new RegExp(`process ${process.pid}`) })

  await release()
  await (await lockDirectory(directory))()
})

t.test('the lock of a process that was killed is taken over', async t => {
  const directory = await makeDirectory(t)
  const holder = fork(holderScript, [directory])
  await once(holder, 'message')
  await t.rejects(lockDirectory(directory), { code: 'LNK_DATA_DIRECTORY_LOCKED' })

  holder.kill('SIGKILL')
  await once(holder, 'exit')

  const release = await lockDirectory(directory)
  t.match(JSON.parse(await readFile(join(directory, lockFileName), 'utf8')), { pid: process.pid })
  await release()
})

t.test('of many that find a dead holder exactly one takes the lock', async t => {
  const directory = await makeDirectory(t)
  const dead = { pid: 2 ** 22, startedAt: '1', pidNamespace: '', bootId: 'another boot', token: 'dead' }
  await writeFile(join(directory, lockFileName), JSON.stringify(dead))

  const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockDirectory(directory)))

  const taken = results.filter(result => result.status === 'fulfilled')
  t.equal(taken.length, 1)
  await taken[0]?.value()
})

t.test('a reused pid is no live holder', async t => {
  const directory = await makeDirectory(t)
  const release = await lockDirectory(directory)
  const path = join(directory, lockFileName)
  const holder = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
  await release()
  await writeFile(path, JSON.stringify({ ...holder, startedAt: '1', token: 'other' }))

  await (await lockDirectory(directory))()
})

t.test('a holder in another pid namespace lives as long as its heartbeat', async t => {
  const directory = await makeDirectory(t)
  const release = await lockDirectory(directory)
  const path = join(directory, lockFileName)
  const holder = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
  await release()
  await writeFile(path, JSON.stringify({ ...holder, pidNamespace: 'pid:[1]', token: 'other' }))
  await t.rejects(lockDirectory(directory), { code: 'LNK_DATA_DIRECTORY_LOCKED' })

  const longAgo = new Date(Date.now() - 60_000)
  await utimes(path, longAgo, longAgo)
  await (await lockDirectory(directory))()
})
