import { glob, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import t from 'tap'

const folder = new URL('../../console/', import.meta.url).pathname

t.test('one style file describes a class, so that areas do not change each other', async t => {
  const files = new Map<string, Set<string>>()
  for await (const path of glob(`${folder}style/*.css`)) {
    const text = await readFile(path, 'utf8')
    for (const [, name = ''] of text.matchAll(/^\.([\w-]+)(?=(?:,\n[^{]+)? \{)/gm)) {
      files.set(name, (files.get(name) ?? new Set()).add(basename(path)))
    }
  }
  t.ok(files.size > 60, 'the classes are found')

  const shared = [...files].filter(([, where]) => where.size > 1).map(([name, where]) =>
    `${name}: ${[...where].join()}`
  )
  t.strictSame(shared, [])
})

t.test('every style file is part of the page', async t => {
  const main = await readFile(`${folder}style/main.css`, 'utf8')
  for await (const path of glob(`${folder}style/*.css`)) {
    const name = basename(path)
    if (name !== 'main.css') t.match(main, `@import './${name}';`, name)
  }
})
