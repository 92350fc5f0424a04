import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { openAuthor } from '../support/author.ts'
import { refused } from '../support/command.ts'
import { runLinker } from '../support/hub-process.ts'
import { repository } from '../support/project.ts'

t.test('linker docs writes the tables of an adapter, and --check tells when they are not up to date', async t => {
  const { directory, edit } = await openAuthor(t)
  const readme = async () => readFile(join(directory, 'README.md'), 'utf8')
  const before = await readme()
  await edit('README.md', text => text.replace('| `apiKey` |', '| `oldKey` |'))
  const stale = await readme()

  t.not(stale, before)
  t.match(await runLinker(['docs', '--check'], directory), { code: 1, stdout: /is not up to date: run linker docs\n$/ })
  t.equal(await readme(), stale, 'a check changes nothing')
  t.match(await runLinker(['docs'], directory), { code: 0, stdout: /README\.md was changed\n$/ })
  t.equal(await readme(), before)
  t.match(await runLinker(['docs', directory], repository), { code: 0, stdout: /is up to date\n$/ })
})

t.test('linker docs refuses what it cannot write, and says why', async t => {
  const { directory, edit } = await openAuthor(t)
  await edit('README.md', () => '# Mine\n')
  refused(t, await runLinker(['docs'], directory), /README\.md has no place for the tables: put the lines <!-- linker/)
  t.equal(await readFile(join(directory, 'README.md'), 'utf8'), '# Mine\n')
  await rm(join(directory, 'dist'), { recursive: true })
  refused(t, await runLinker(['docs'], directory), /cannot be loaded: build it, and linker conformance says/)
  await rm(join(directory, 'README.md'))
  refused(t, await runLinker(['docs'], directory), /there is no README\.md in /)
})
