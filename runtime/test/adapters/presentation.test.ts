import t from 'tap'
import type { AdapterPackage } from '../../src/adapters/discover.ts'
import { present, readChangelog } from '../../src/adapters/presentation.ts'
import { fakeAdapter } from '../connections/support.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'

function packageAt (directory: string, icon?: string): AdapterPackage {
  const { description: _description, manifest, ...found } = fakeAdapter()
  return { ...found, directory, manifest: { ...manifest, ...(icon === undefined ? {} : { icon }) } }
}

t.test('a package shows its icon and its changelog', async t => {
  const directory = t.testdir({ 'icon.png': svg, 'CHANGELOG.md': '# 1.0.0\n' })
  const found = await present(packageAt(directory, 'icon.png'))

  t.match(found, { icon: { type: 'image/svg+xml' }, hasChangelog: true })
  t.equal(found.warning, undefined)
  t.equal(await readChangelog(found), '# 1.0.0\n')
})

t.test('a package without them has none', async t => {
  const found = await present(packageAt(t.testdir({})))

  t.strictSame([found.icon, found.hasChangelog, found.warning], [undefined, false, undefined])
  t.equal(await readChangelog(found), undefined)
})

t.test('an icon that cannot be shown is a warning beside the others', async t => {
  const directory = t.testdir({ 'icon.svg': 'alert(1)' })
  const found = await present({ ...packageAt(directory, 'icon.svg'), warning: 'an old range' })

  t.equal(found.icon, undefined)
  t.match(found.warning, /^an old range\. 'feed-1\.0\.0' .*icon\.svg is neither PNG nor SVG/)
})

t.test('a long changelog is cut between two characters, and says so', async t => {
  const directory = t.testdir({ 'CHANGELOG.md': `${'a'.repeat(256 * 1024 - 1)}é and more` })
  const text = await readChangelog({ directory })

  t.equal(text, `${'a'.repeat(256 * 1024 - 1)}\n\n(cut: the file has 262154 bytes)\n`)
})
