import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'

t.test('the example of the README prints what the README says', async t => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const block = (language: string): string =>
    new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(readme)?.[1] ?? ''
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--conditions=@linker/source',
    '--input-type=module',
    '--eval',
    block('js')
  ], { cwd: fileURLToPath(new URL('..', import.meta.url)), timeout: 300_000 })

  t.equal(stdout, block('text'))
})
