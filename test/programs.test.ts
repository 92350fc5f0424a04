import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { repository } from './support/project.ts'

const programs = ['bench/main.ts', 'bench/plan/main.ts', 'chaos/main.ts', 'fuzz/main.ts']

/** Ends the process with the path of the module that imports tap. */
const refuseTap = `
  import { registerHooks } from 'node:module'
  registerHooks({
    resolve (specifier, context, next) {
      if (specifier === 'tap') {
        console.error('tap is imported by ' + context.parentURL)
        process.exit(1)
      }
      return next(specifier, context)
    }
  })`

// tap would end a program that imports it after half a minute, as a test that took too long.
t.test('the programs beside the tests import no tap', async t => {
  for (const program of programs) {
    const hook = `data:text/javascript,${encodeURIComponent(refuseTap)}`
    // Those without the option refuse it, after all their modules were loaded.
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--conditions=@linker/source', '--import', hook, `test/${program}`, '--help'],
      { cwd: repository }
    ).catch((error: unknown) => error as { stdout: string, stderr: string })
    t.match(stdout + stderr, /npm run|Unknown option '--help'/, program)
  }
})
