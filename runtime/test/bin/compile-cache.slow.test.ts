import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'

const linker = fileURLToPath(new URL('../../bin/linker.js', import.meta.url))
const run = promisify(execFile)

interface Home {
  directory: string
  /** The folder of compiled modules in this cache folder. */
  cache: string
  variables: Record<string, string>
}

async function makeHome (t: Test): Promise<Home> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-home-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const caches = join(directory, 'caches')
  return {
    directory,
    cache: join(caches, 'linker', 'compiled'),
    variables: { PATH: process.env.PATH ?? '', HOME: directory, XDG_CACHE_HOME: caches }
  }
}

/** Runs a short command, with these variables only. */
async function runIn (variables: Record<string, string>): Promise<string> {
  const { stdout } = await run(process.execPath, [linker, '--version'], { env: variables })
  return stdout.trim()
}

const filesIn = async (directory: string): Promise<string[]> =>
  (await readdir(directory, { recursive: true }).catch(() => [])).filter(path => path.includes('/'))

t.test('compiled modules are kept in a folder that only its user may read', { skip: isOther() }, async t => {
  const { cache, variables } = await makeHome(t)
  t.match(await runIn(variables), /^\d+\.\d+\.\d+$/)

  t.equal((await stat(cache)).mode & 0o777, 0o700)
  t.ok((await filesIn(cache)).length > 10)
})

t.test('a folder that others may write is not used', { skip: isOther() }, async t => {
  const { cache, variables } = await makeHome(t)
  await mkdir(cache, { recursive: true })
  await chmod(cache, 0o777)

  t.match(await runIn(variables), /^\d+\.\d+\.\d+$/)
  t.strictSame(await filesIn(cache), [])
})

t.test('a folder that cannot be made, and a cache that the environment names, change nothing', async t => {
  const { directory, cache, variables } = await makeHome(t)
  await writeFile(join(directory, 'file'), '')
  t.match(await runIn({ ...variables, XDG_CACHE_HOME: join(directory, 'file') }), /^\d+\.\d+\.\d+$/)

  const own = join(directory, 'own')
  await runIn({ ...variables, NODE_COMPILE_CACHE: own })
  await runIn({ ...variables, NODE_DISABLE_COMPILE_CACHE: '1' })
  t.ok((await filesIn(own)).length > 10)
  t.strictSame(await filesIn(cache), [])
})

t.test('a cache of too many files is emptied', { skip: isOther() }, async t => {
  const { cache, variables } = await makeHome(t)
  const stale = join(cache, 'v0.0.0')
  await mkdir(stale, { recursive: true })
  await chmod(cache, 0o700)
  for (let file = 0; file <= 6_000; file += 1) await writeFile(join(stale, String(file)), '')

  await runIn(variables)
  t.notOk((await filesIn(cache)).some(path => path.startsWith('v0.0.0')))
  t.equal((await stat(cache)).mode & 0o777, 0o700)
})

/** On other systems these variables do not move the cache folder. */
function isOther (): string | false {
  return process.platform === 'linux' ? false : 'the variables are those of Linux'
}
