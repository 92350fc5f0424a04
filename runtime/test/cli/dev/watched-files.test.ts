import t from 'tap'
import { isRelevant, isUnwatched } from '../../../src/cli/dev/watched-files.ts'

t.test('folders of other packages, tests and builds are not watched', async t => {
  const paths = ['node_modules', 'src/test', 'tests', '.git', 'src/.cache', 'dist', 'dist/index.js']

  t.strictSame(paths.filter(path => !isUnwatched(path, 'dist')), [])
  t.strictSame(['src', 'src/index.ts', 'package.json', 'dist'].filter(path => isUnwatched(path, undefined)), [])
})

t.test('code and settings matter, tests and texts do not', async t => {
  const relevant = ['src/index.ts', 'a.mjs', 'a.cts', 'package.json', 'linker.conformance.json', 'a.wasm', 'src/new']
  const others = ['README.md', 'src/index.test.ts', 'a.spec.js', 'dist/index.d.ts', 'index.ts~', '4913.swp']

  t.strictSame(relevant.filter(path => !isRelevant(path)), [])
  t.strictSame(others.filter(isRelevant), [])
})
