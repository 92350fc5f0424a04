import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { watchFolder } from '../../../src/cli/dev/watch-folder.ts'

async function openWatch (t: Test) {
  const directory = await mkdtemp(join(tmpdir(), 'linker-watch-'))
  await mkdir(join(directory, 'src/deep'), { recursive: true })
  await mkdir(join(directory, 'left'))
  await writeFile(join(directory, 'src/deep/a.ts'), 'first')
  let seen: string[] = []
  let waiting: { wanted: string, resolve(): void } | undefined
  const look = (): void => {
    if (waiting !== undefined && seen.includes(waiting.wanted)) waiting.resolve()
  }
  const watch = await watchFolder(directory, {
    ignores: path => path.startsWith('left'),
    onChange (paths) {
      seen.push(...paths)
      look()
    }
  })
  t.teardown(async () => {
    watch.close()
    await rm(directory, { recursive: true, force: true })
  })
  return {
    write: (path: string, text = 'text') => writeFile(join(directory, path), text),
    make: (path: string) => mkdir(join(directory, path)),
    move: (from: string, to: string) => rename(join(directory, from), join(directory, to)),
    /** Waits for a change of this path, and forgets those that came before. */
    async change (wanted: string): Promise<string[]> {
      await new Promise<void>(resolve => {
        waiting = { wanted, resolve }
        look()
      })
      const changes = seen
      seen = []
      return changes
    }
  }
}

t.test('a file that is written, or replaced as editors do it, is a change', async t => {
  const { write, move, change } = await openWatch(t)
  await write('src/deep/a.ts', 'second')
  await change('src/deep/a.ts')
  await write('package.json')
  await change('package.json')

  for (const text of ['third', 'fourth']) {
    await write('src/deep/a.ts.new', text)
    await move('src/deep/a.ts.new', 'src/deep/a.ts')
    t.ok((await change('src/deep/a.ts')).length > 0)
  }
})

t.test('a new folder is watched, too', async t => {
  const { write, make, change } = await openWatch(t)
  await make('src/new')
  await change('src/new')
  await write('src/new/b.ts')

  t.ok((await change('src/new/b.ts')).length > 0)
})

t.test('what is ignored is no change', async t => {
  const { write, change } = await openWatch(t)
  await write('left/a.ts')
  await write('src/b.ts')

  t.strictSame((await change('src/b.ts')).filter(path => path.startsWith('left')), [])
})
