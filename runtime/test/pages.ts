import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Reads a page of the documentation, such as `jobs`. */
export function readPage (name: string): Promise<string> {
  return readFile(join(import.meta.dirname, '..', 'docs', `${name}.md`), 'utf8')
}

/** Reads a chapter of a page, with its title. Throws when the page has no such chapter. */
export async function readChapter (page: string, title: string): Promise<string> {
  const chapters = (await readPage(page)).split(/^##+ /m)
  const chapter = chapters.find(text => text.startsWith(`${title}\n`))
  if (chapter === undefined) throw new Error(`${page}.md has no chapter '${title}'`)
  return chapter
}
