import { withoutWrongPresentation } from '@linker/sdk/host'
import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import t from 'tap'
import { codeOf, examplesOf, packageJson, pages, readPage } from './guide.ts'

/**
 * The examples that are no TypeScript, by page and language. The tests of their pages, in this
 * folder, take them.
 */
const taken = {
  'README.md': { json: 1 },
  'docs/package.md': { json: 2 },
  'docs/testing.md': { js: 1 }
}

/** A page without the tutorial, whose every block `test/e2e/tutorial.test.ts` runs or writes. */
function withoutTutorial (page: string): string {
  return readPage(page).replace(/^## Tutorial.*\n[^]*?(?=^## )/m, '')
}

t.test('every example is taken by a test', async t => {
  const others: Record<string, Record<string, number>> = {}
  for (const { page, language } of pages.flatMap(page => examplesOf(page, withoutTutorial(page)))) {
    if (language === 'ts') continue
    others[page] = { ...others[page], [language]: (others[page]?.[language] ?? 0) + 1 }
  }

  t.strictSame(others, taken)
  t.strictSame(pages.filter(page => /^(?: {4}|\t)\S/m.test(textOf(page))), [], 'no example is a block without a fence')
})

/** A page without its fenced blocks. */
function textOf (page: string): string {
  return readPage(page).replaceAll(/^```.*\n(?:.*\n)*?^```$/gm, '')
}

t.test('every example in TypeScript compiles as an author compiles it', async t => {
  const { compilerOptions } = JSON.parse(codeOf('docs/package.md', 'json', 1))
  const directory = t.testdir({
    'package.json': packageJson,
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src', 'examples'] })
  })
  const examples = pages.flatMap(page => examplesOf(page)).filter(({ language }) => language === 'ts')
  for (const [index, { code, file = `examples/${index}.ts` }] of examples.entries()) {
    await mkdir(dirname(join(directory, file)), { recursive: true })
    await writeFile(join(directory, file), code)
  }
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'lib', 'tsc.js')

  t.ok(examples.length > 15, 'the examples are found')
  t.doesNotThrow(() =>
    execFileSync(process.execPath, [
      compiler,
      '-p',
      directory,
      '--noEmit',
      '--rootDir',
      '/',
      '--customConditions',
      '@linker/source'
    ], { encoding: 'utf8', timeout: 600_000 })
  )
})

t.test('the tsconfig.json of the page is the one that a new adapter gets', async t => {
  const template = join(import.meta.dirname, '../../../plugins/create-adapter/template/shared/tsconfig.json')

  t.equal(codeOf('docs/package.md', 'json', 1), await readFile(template, 'utf8'))
})

t.test('the manifest of the page has links and an icon that the hub shows', async t => {
  const { files, linker } = JSON.parse(codeOf('docs/package.md', 'json'))

  t.strictSame(withoutWrongPresentation(linker), { manifest: linker, warnings: [] })
  t.ok(files.includes(linker.icon))
})
