import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'

const suite = new URL('../../../src/cli/dev/run-suite.ts', import.meta.url).href

// The program stands for the command `linker`, which runs itself with the argument `conformance`.
const program = `
if (process.argv[2] === 'conformance') {
  console.log('the suite runs')
  setInterval(() => undefined, 1000)
} else {
  const { runSuite } = await import('${suite}')
  process.once('SIGTERM', () => process.exit(0))
  await runSuite(process.argv[2])
}
`

t.test('the suite ends with the process that runs it', async t => {
  const directory = await mkdtemp(join(tmpdir(), 'linker-suite-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const path = join(directory, 'program.mjs')
  await writeFile(path, program)
  await writeFile(join(directory, 'package.json'), '{}')
  const child = spawn(process.execPath, ['--conditions=@linker/source', path, directory], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const closed = once(child, 'close')
  await once(createInterface({ input: child.stdout }), 'line')

  child.kill()

  // The output of the parent closes when its child has ended, too: they share it.
  t.strictSame(await closed, [0, null])
})
