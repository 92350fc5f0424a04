import type { Context } from '@linker/sdk'
import { createTestContext } from '@linker/sdk/testing'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Test } from 'tap'

// The guide is the README and the pages of `docs`. Its code blocks are examples, which tests take
// by page, language and position.

const folder = join(import.meta.dirname, '../..')

/** The pages of the guide, such as `docs/webhooks.md`. */
export const pages: readonly string[] = [
  'README.md',
  ...readdirSync(join(folder, 'docs')).toSorted().map(name => `docs/${name}`)
]

export interface Example {
  page: string
  language: string
  code: string
  /** The file that the text before the block names, as in "Write `src/index.ts`:". */
  file?: string
}

export function readPage (page: string): string {
  return readFileSync(join(folder, page), 'utf8')
}

export function examplesOf (page: string, text = readPage(page)): Example[] {
  return [...text.matchAll(/(?:`([\w./-]+)`:\n\n)?^```(.*)\n((?:.*\n)*?)^```$/gm)].map(
    ([, file, language = '', code = '']) => ({ page, language, code, ...(file === undefined ? {} : { file }) })
  )
}

/** Returns the code of a block of a page. Throws when there is none. */
export function codeOf (page: string, language = 'ts', position = 0): string {
  const found = examplesOf(page).filter(example => example.language === language)[position]
  if (found === undefined) throw new Error(`${page} has no example ${position} in ${language}`)
  return found.code
}

export const packageJson = codeOf('README.md', 'json')
export const manifest = JSON.parse(packageJson).linker

/** Imports code as a module of the package that the README describes. */
export async function importExample (t: Test, code: string, file = 'index.ts'): Promise<unknown> {
  const directory = t.testdir({ 'package.json': packageJson, [file]: code })
  return await import(pathToFileURL(join(directory, file)).href)
}

export function createContext (t: Test, baseUrl: string): Context {
  const { context, host } = createTestContext({ manifest, config: { baseUrl }, credentials: { apiKey: 'feed-key' } })
  t.teardown(() => host.close())
  return context
}
