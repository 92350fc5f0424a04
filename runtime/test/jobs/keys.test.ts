import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readChapter } from '../pages.ts'

const source = join(import.meta.dirname, '..', '..', 'src')
/** Beginnings of keys that are none of jobs: of alerts, of objects, and in Redis. */
const others = ['alert-channel', 'connection-error', 'delayed', 'jobdedup', 'linker:ahead', 'linker:connection-epoch']

t.test('the page lists every form of a key that the hub gives to a job, and no other', async t => {
  const chapter = await readChapter('jobs', 'The key of a job')
  const listed = [...chapter.matchAll(/^\|(.+?)\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z:-]+?):?-?\{/g)].map(([, begin]) => begin)
  )

  const lines = globSync('**/*.ts', { cwd: source, exclude: ['cli/**', 'database/migrations/**'] })
    .flatMap(file => readFileSync(join(source, file), 'utf8').split('\n'))
    .filter(line => /key|Key|return/.test(line))
  const made = lines.flatMap(line =>
    [...line.matchAll(/`((?:[a-z]+-)*[a-z]+(?::[a-z-]+)?):\$\{/g)].map(([, begin]) => begin)
  )
  const given = made.filter(begin => begin !== undefined && !others.includes(begin))

  // The occasion of the last one stands where the others have a word.
  t.strictSame([...new Set(listed)].toSorted(), [...new Set([...given, 'order'])].toSorted())
})
