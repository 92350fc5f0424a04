import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { usualBudget } from '../../src/database/wasm-compiler.ts'
import { copyEmbeddedDatabase } from '../databases.ts'

const run = promisify(execFile)
const gibibyte = 1024 ** 3

/**
 * Opens a database in another process, and returns for each function of WebAssembly that V8
 * optimised the most bytes that it took.
 */
async function optimisedWith (directory: string, start: string): Promise<number[]> {
  const program = `
    import { PGlite } from '@electric-sql/pglite'
    import { withLightCompiler } from '${new URL('../../src/database/wasm-compiler.ts', import.meta.url).href}'
    const open = () => PGlite.create(process.argv[1])
    const database = await ${start}
    await database.query('select 1')
    // V8 waits for functions that it compiles in the background.
    await database.close()`
  const { stdout } = await run(process.execPath, [
    '--trace-wasm-compilation-times',
    '--single-threaded',
    '--input-type=module',
    '--eval',
    program,
    directory
  ], { maxBuffer: 64 * 1024 ** 2 })
  return [...stdout.matchAll(/using TurboFan, took \d+ ms and (\d+) /g)].map(([, bytes]) => Number(bytes))
}

t.test('V8 takes little memory to start the embedded database', async t => {
  const directory = await mkdtemp(join(tmpdir(), 'linker-compiler-'))
  copyEmbeddedDatabase(directory)
  const database = join(directory, 'database')
  t.teardown(() => rm(directory, { recursive: true, force: true }))

  const usual = await optimisedWith(database, 'open()')
  t.ok(Math.max(...usual) > gibibyte / 4, `one function of PostgreSQL takes ${Math.max(...usual)} bytes`)

  const later = await optimisedWith(database, `withLightCompiler(open, ${4 * gibibyte})`)
  t.ok(Math.max(0, ...later) < gibibyte / 16, `not at the start, with much memory: ${Math.max(0, ...later)}`)

  t.strictSame(await optimisedWith(database, `withLightCompiler(open, ${gibibyte})`), [], 'never, with little memory')
})

t.test('the budget that is set again is the default of this Node', async t => {
  const { stdout } = await run(process.execPath, ['--v8-options'])

  t.equal(/default: --wasm-tiering-budget=(\d+)/.exec(stdout)?.[1], String(usualBudget))
})
