import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { findEntry } from '../../src/adapters/import-module.ts'
import { fakeAdapter } from '../connections/support.ts'

const packageJson = (name: string): string =>
  JSON.stringify({ name, version: '1.0.0', exports: { '.': './entry.js', './package.json': './package.json' } })

t.test('an adapter is resolved from the project, so that an alias leads to the copy that it names', async t => {
  const project = t.testdir({
    'package.json': '{}',
    node_modules: {
      feed: { 'package.json': packageJson('feed'), 'entry.js': '' },
      'feed-next': { 'package.json': packageJson('feed'), 'entry.js': '' }
    }
  })
  const entryOf = (packageName: string) => findEntry({ ...fakeAdapter(), packageName, selfName: 'feed' }, project)

  t.equal(entryOf('feed'), pathToFileURL(join(project, 'node_modules', 'feed', 'entry.js')).href)
  t.equal(entryOf('feed-next'), pathToFileURL(join(project, 'node_modules', 'feed-next', 'entry.js')).href)
  t.match(entryOf('gone'), { code: 'MODULE_NOT_FOUND' })
})

t.test('a folder that is named by its path is resolved by its own name', async t => {
  const project = t.testdir({ here: { 'package.json': packageJson('feed'), 'entry.js': '' } })
  const directory = join(project, 'here')

  t.equal(
    findEntry({ ...fakeAdapter(), packageName: './here', selfName: 'feed', isLocal: true, directory }, project),
    pathToFileURL(join(directory, 'entry.js')).href
  )
})
