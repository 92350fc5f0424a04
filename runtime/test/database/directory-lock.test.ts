import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { lockDirectory, lockFileName } from '../../src/database/directory-lock.ts'

const deadHolder = { pid: 2 ** 22, startedAt: '1', pidNamespace: '', bootId: 'another boot', token: 'dead' }
const holderScript = fileURLToPath(new URL('./lock-holder.ts', import.meta.url))

async function makeDirectory (t: Test): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-lock-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  return directory
}

t.test('a second holder is refused and told the pid of the first', async t => {
  const directory = await makeDirectory(t)
  const release = await lockDirectory(directory)

  await t.rejects(lockDirectory(directory), {
    code: 'LNK_DATA_DIRECTORY_LOCKED',
    message: new RegExp(`process ${process.pid}`)
  })

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

t.test('when many find a dead holder, exactly one takes the lock', async t => {
  const directory = await makeDirectory(t)
  await writeFile(join(directory, lockFileName), JSON.stringify(deadHolder))

  const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockDirectory(directory)))

  const taken = results.filter(result => result.status === 'fulfilled')
  t.equal(taken.length, 1)
  await taken[0]?.value()
})

t.test('when many processes find a dead holder while it is being replaced, exactly one takes the lock', async t => {
  const counts: number[] = []
  for (let round = 0; round < 40; round++) {
    const directory = await makeDirectory(t)
    await writeFile(join(directory, lockFileName), JSON.stringify(deadHolder))

    const results = await Promise.allSettled(Array.from({ length: 20 }, async (_, index) => {
      for (let turn = 0; turn < index * 2; turn++) await new Promise(setImmediate)
      return lockDirectory(directory)
    }))

    counts.push(results.filter(result => result.status === 'fulfilled').length)
    for (const result of results) {
      if (result.status === 'fulfilled') await result.value()
      else if (result.reason.code !== 'LNK_DATA_DIRECTORY_LOCKED') throw result.reason
    }
    t.strictSame(await readdir(directory), [], 'nothing is left beside the lock')
  }

  t.strictSame(counts, counts.map(() => 1))
})

t.test('the lock of a process that died while it replaced a dead holder is taken over', async t => {
  const directory = await makeDirectory(t)
  const path = join(directory, lockFileName)
  await writeFile(path, JSON.stringify(deadHolder))
  await writeFile(`${path}.after-${deadHolder.token}`, JSON.stringify({ ...deadHolder, token: 'successor' }))

  const release = await lockDirectory(directory)

  t.match(JSON.parse(await readFile(path, 'utf8')), { pid: process.pid })
  await release()
  t.strictSame(await readdir(directory), [])
})

t.test('a lock file that a power cut left empty blocks nobody', async t => {
  const directory = await makeDirectory(t)
  await writeFile(join(directory, lockFileName), '')

  await (await lockDirectory(directory))()
})

t.test('a reused pid does not count as a live holder', async t => {
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
