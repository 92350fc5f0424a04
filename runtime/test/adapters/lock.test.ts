import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { lockOf, readLock, writeLock, type LockedAdapter } from '../../src/adapters/lock.ts'

async function project (t: Test): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-lock-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  return directory
}

const integrity = `sha512-${'A'.repeat(86)}==`
const locked = (more: Partial<LockedAdapter> = {}): LockedAdapter => ({
  package: 'a',
  integrity,
  permissions: {},
  ...more
})

t.test('a lock is written with its adapters in order, whatever order they came in, and read again', async t => {
  const directory = await project(t)
  const a = locked({ permissions: { schedules: true, http: ['https://a.example'] } })
  await writeLock(directory, new Map([['b.api.v1@1.0.0', locked()], ['a.api.v1@1.0.0', a]]))
  const first = await readFile(join(directory, 'linker.lock'), 'utf8')
  await writeLock(
    directory,
    new Map([['a.api.v1@1.0.0', {
      permissions: { http: ['https://a.example'], schedules: true },
      integrity,
      package: 'a'
    }], ['b.api.v1@1.0.0', locked()]])
  )

  t.equal(await readFile(join(directory, 'linker.lock'), 'utf8'), first)
  t.equal(
    first,
    `${
      JSON.stringify(
        {
          lockVersion: 1,
          adapters: {
            'a.api.v1@1.0.0': {
              package: 'a',
              integrity,
              permissions: { http: ['https://a.example'], schedules: true }
            },
            'b.api.v1@1.0.0': { package: 'a', integrity, permissions: {} }
          }
        },
        null,
        2
      )
    }\n`
  )
  t.strictSame(await readLock(directory), new Map([['a.api.v1@1.0.0', a], ['b.api.v1@1.0.0', locked()]]))
  t.strictSame(await readdir(directory), ['linker.lock'])
})

t.test('a missing lock is undefined, and a file in another form is refused', async t => {
  const directory = await project(t)
  t.equal(await readLock(directory), undefined)

  for (
    const text of [
      '',
      'null',
      '{}',
      '{"lockVersion":2,"adapters":{}}',
      '{"lockVersion":1,"adapters":{"a.api.v1@1.0.0":{"package":"a","integrity":"sha1-x","permissions":{}}}}'
    ]
  ) {
    await writeFile(join(directory, 'linker.lock'), text)
    await t.rejects(readLock(directory), { code: 'LNK_ADAPTER_INTEGRITY', message: /linker\.lock'/ }, text)
  }
})

t.test('a package that cannot be read is not locked', async t => {
  const directory = await project(t)
  const found = {
    packageName: 'a',
    selfName: 'a',
    isLocal: false,
    isolation: 'inline' as const,
    directory: join(directory, 'nowhere'),
    version: '1.0.0',
    manifest: { adapterKey: 'a.api.v1', platformType: 'a', displayName: 'A', capabilities: [] }
  }
  const lock = await lockOf([found])

  t.match(lock.get('a.api.v1@1.0.0')?.integrity, /^unreadable: ENOENT/)
  await t.rejects(writeLock(directory, lock), {
    code: 'LNK_ADAPTER_INTEGRITY',
    message: /a\.api\.v1@1\.0\.0 cannot be recorded: unreadable: ENOENT/
  })
  t.strictSame(await readdir(directory), [])
})
