import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { temporaryFolder } from './npm-project.ts'
import { repository } from './project.ts'

export interface Author {
  directory: string
  edit(file: string, change: (text: string) => string): Promise<void>
}

/** The folder of an author who wrote the adapter of the carrier, with its packages installed. */
export async function openAuthor (t: Test, installed: readonly string[] = []): Promise<Author> {
  const directory = await temporaryFolder(t)
  const example = join(repository, 'examples/carrier-adapter')
  for (const part of ['dist', 'linker.conformance.json', 'README.md', 'package.json']) {
    await cp(join(example, part), join(directory, part), { recursive: true })
  }
  const edit: Author['edit'] = async (file, change) => {
    const path = join(directory, file)
    await writeFile(path, change(await readFile(path, 'utf8')))
  }
  await edit('package.json', text => {
    const manifest = JSON.parse(text) as { private?: boolean, exports: { '.': Record<string, string> } }
    delete manifest.private
    delete manifest.exports['.']['@linker/source']
    return JSON.stringify(manifest, null, 2)
  })
  for (const needed of ['@linker/sdk', '@sinclair/typebox', ...installed]) {
    await mkdir(join(directory, 'node_modules', needed, '..'), { recursive: true })
    await symlink(join(repository, 'node_modules', needed), join(directory, 'node_modules', needed))
  }
  return { directory, edit }
}
