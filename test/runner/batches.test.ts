import { glob } from 'node:fs/promises'
import t from 'tap'
import { repository } from '../support/project.ts'
import { cutByPackage, planBatches, testsBundles } from './batches.ts'
import { lanes } from './lanes.ts'

const runsOf = async (lane: string): Promise<string[]> => {
  const batches = await planBatches(lanes[lane] ?? [])
  const runsOfBatch = ({ files, modes = ['any'] }: { files: readonly string[], modes?: readonly string[] }): string[] =>
    files.flatMap(file => modes.map(mode => `${file} ${mode}`))
  return batches.flatMap(runsOfBatch).toSorted()
}

t.test('batches split the files of a package evenly and never mix packages', async t => {
  const folders = { 'sdk/test/a': [1, 2, 3], 'sdk/test/b': [4, 5], 'plugins/c/test': [1], 'test/e2e': [1], 'test': [1] }
  const files = Object.entries(folders).flatMap(([folder, names]) => names.map(name => `${folder}/${name}.test.ts`))
  const cut = cutByPackage(files, 4).map(slice => slice.map(file => file.replace('.test.ts', '')))

  t.strictSame(cut, [
    ['sdk/test/a/1', 'sdk/test/a/2', 'sdk/test/a/3'],
    ['sdk/test/b/4', 'sdk/test/b/5'],
    ['plugins/c/test/1'],
    ['test/e2e/1', 'test/1']
  ])
  t.strictSame(cutByPackage([], 4), [])
})

t.test('whole hubs and the conformance suite are tested from the bundles, parts of them from the sources', async t => {
  const [hub, suite] = ['test/modes/stock.test.ts', 'sdk/test/testing/conformance/level-1.slow.test.ts']
  const [part, sample] = ['runtime/test/database/plans.slow.test.ts', 'sdk/test/testing/conformance/samples.test.ts']

  for (const file of [hub, suite]) t.ok(testsBundles({ files: [file] }), file)
  for (const file of [part, sample]) t.notOk(testsBundles({ files: [hub, file] }), file)
})

t.test('the two lanes run every test file, each once in each of its modes', async t => {
  process.chdir(repository)
  const [quick, rest, full] = [await runsOf('quick'), await runsOf('rest'), await runsOf('full')]
  // The tests of a template run in the adapter that is made from it.
  const left = ['node_modules', 'dist', 'create-adapter/template']
  const exclude = (path: string): boolean => left.some(part => path.includes(part))
  const found: string[] = []
  for await (const file of glob('**/*.test.ts', { exclude })) found.push(file)

  t.strictSame([...quick, ...rest].toSorted(), full)
  t.strictSame(full.filter((run, index) => full.indexOf(run) !== index), [], 'nothing twice')
  t.strictSame([...new Set(full.map(run => run.split(' ')[0]))].toSorted(), found.toSorted())
  const stock = 'test/modes/stock.test.ts'
  t.strictSame(full.filter(run => run.startsWith(stock)), [`${stock} embedded`, `${stock} full`, `${stock} postgres`])
})
