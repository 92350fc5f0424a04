import { glob } from 'node:fs/promises'
import t from 'tap'
import { repository } from '../support/project.ts'
import { cutByFolder, planBatches } from './batches.ts'
import { lanes } from './lanes.ts'

const runsOf = async (lane: string): Promise<string[]> => {
  const batches = await planBatches(lanes[lane] ?? [])
  const runsOfBatch = ({ files, modes = ['any'] }: { files: readonly string[], modes?: readonly string[] }): string[] =>
    files.flatMap(file => modes.map(mode => `${file} ${mode}`))
  return batches.flatMap(runsOfBatch).toSorted()
}

t.test('batches split the files of a folder evenly and never mix folders', async t => {
  const files = ['a/1', 'a/2', 'a/3', 'a/4', 'a/5', 'b/1']

  t.strictSame(cutByFolder(files, 4), [['a/1', 'a/2', 'a/3'], ['a/4', 'a/5'], ['b/1']])
  t.strictSame(cutByFolder([], 4), [])
})

t.test('the two lanes run every test file, each once in each of its modes', async t => {
  process.chdir(repository)
  const [quick, rest, full] = [await runsOf('quick'), await runsOf('rest'), await runsOf('full')]
  const exclude = (path: string): boolean => path.includes('node_modules') || path.includes('dist')
  const found: string[] = []
  for await (const file of glob('**/*.test.ts', { exclude })) found.push(file)

  t.strictSame([...quick, ...rest].toSorted(), full)
  t.strictSame(full.filter((run, index) => full.indexOf(run) !== index), [], 'nothing twice')
  t.strictSame([...new Set(full.map(run => run.split(' ')[0]))].toSorted(), found.toSorted())
  const stock = 'test/modes/stock.test.ts'
  t.strictSame(full.filter(run => run.startsWith(stock)), [`${stock} embedded`, `${stock} full`, `${stock} postgres`])
})
