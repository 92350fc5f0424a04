import { readFile } from 'node:fs/promises'
import { join, normalize } from 'node:path'
import t from 'tap'
import { repository } from '../support/project.ts'
import { findPublished, packPackages } from '../support/tarballs.ts'

t.test('the links of each published README lead to files of its package', async t => {
  const folders = await findPublished()
  t.ok(folders.size >= 6, 'the packages are found')
  const packages = await packPackages()
  t.strictSame(packages.map(({ name }) => name).toSorted(), [...folders.keys()].toSorted())

  for (const { name, files } of packages) {
    const readme = await readFile(join(repository, folders.get(name) ?? '', 'README.md'), 'utf8')
    const targets = [...readme.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target.replace(/#.*$/, ''))
      .filter(target => target !== '' && !/^[a-z]+:/.test(target))
    t.ok(files.includes('README.md'), `${name} has a README`)
    t.strictSame(targets.filter(target => !files.includes(normalize(target))), [], name)
  }
})
