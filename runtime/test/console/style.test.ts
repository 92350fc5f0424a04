import { readdir, readFile } from 'node:fs/promises'
import t from 'tap'

const folder = new URL('../../console/style/', import.meta.url)

// All files of style/ end up in one sheet, so a second meaning of a class reaches other pages.
t.test('a class is defined in one file of styles only', async t => {
  const filesOf = new Map<string, string[]>()
  for (const file of (await readdir(folder)).filter(name => name.endsWith('.css'))) {
    const css = await readFile(new URL(file, folder), 'utf8')
    const names = new Set(Array.from(css.matchAll(/^\.([a-z-]+)(?=,| \{)/gm), ([, name = '']) => name))
    for (const name of names) filesOf.set(name, [...filesOf.get(name) ?? [], file])
  }
  t.strictSame([...filesOf].filter(([, files]) => files.length > 1), [])
})
