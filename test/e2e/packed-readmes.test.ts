import { readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import t from 'tap'
import { repository } from '../support/project.ts'
import { findPublished, packPackages } from '../support/tarballs.ts'

t.test('the links of each published page lead to files of its package', async t => {
  const folders = await findPublished()
  t.ok(folders.size >= 6, 'the packages are found')
  const packages = await packPackages()
  t.strictSame(packages.map(({ name }) => name).toSorted(), [...folders.keys()].toSorted())

  for (const { name, files } of packages) {
    t.ok(files.includes('README.md'), `${name} has a README`)
    // A template becomes a page of another package.
    const pages = files.filter(file => file.endsWith('.md') && !file.startsWith('template/'))
    for (const page of pages) {
      const text = await readFile(join(repository, folders.get(name) ?? '', page), 'utf8')
      const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = '']) => target.replace(/#.*$/, ''))
        .filter(target => target !== '' && !/^[a-z]+:/.test(target))
        .map(target => normalize(join(dirname(page), target)))
      t.strictSame(targets.filter(target => !files.includes(target)), [], `${name}/${page}`)
    }
  }
})
