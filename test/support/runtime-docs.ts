import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repository } from './project.ts'

const folder = join(repository, 'runtime', 'docs')

/** Reads a page of the runtime's documentation, such as `jobs`. */
export function readPage (name: string): Promise<string> {
  return readFile(join(folder, `${name}.md`), 'utf8')
}

export async function readAllPages (): Promise<string> {
  const files = await readdir(folder)
  return (await Promise.all(files.map(file => readFile(join(folder, file), 'utf8')))).join('\n')
}

/** Reads a chapter of a page, without its title. Throws when the page has no such chapter. */
export async function readChapter (page: string, title: string): Promise<string> {
  const chapters = (await readPage(page)).split(/^##+ /m)
  const chapter = chapters.find(text => text.startsWith(`${title}\n`))
  if (chapter === undefined) throw new Error(`${page}.md has no chapter '${title}'`)
  return chapter.slice(title.length)
}
