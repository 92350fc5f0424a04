import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { adapterProblems } from '../src/adapters/adapter-failure.ts'
import { adapterProblemCodes } from '../src/adapters/states.ts'
import * as errors from '../src/errors.ts'
import { JobProblemCode } from '../src/jobs/retry-policy.ts'
import { readPage } from './pages.ts'

t.test('the table of the page lists every code with its cause and remedy, and no other', async t => {
  const page = await readPage('errors')
  const listed = [...page.matchAll(/^\| `(LNK_[A-Z_]+)` \| (.+) \| (.+) \|$/gm)].map(match => match[1])

  const codes: string[] = Object.values(errors).map(make => make().code)
  const ofJobs = Object.values(JobProblemCode).filter(code => !codes.includes(code))

  t.strictSame(listed.toSorted(), [...codes, ...ofJobs].toSorted())
  t.equal(new Set(codes).size, codes.length, 'no code is used twice')
})

t.test('the guide of the SDK has a remedy for every code that an adapter can cause', async t => {
  const guide = await readFile(join(import.meta.dirname, '../../sdk/docs/errors.md'), 'utf8')
  const rows = guide.split('\n').filter(line => line.startsWith('| ') && line.split(' | ').length === 3)
  const named = new Set(rows.flatMap(row => [...row.matchAll(/`(LNK_[A-Z_]+)`/g)].map(match => match[1])))
  const causes = [...adapterProblemCodes, ...Object.values(JobProblemCode), ...adapterProblems]

  t.strictSame([...new Set(causes)].filter(code => !named.has(code)), [])
  const known: string[] = [...causes, ...Object.values(errors).map(make => make().code)]
  t.strictSame([...named].filter(code => !known.includes(code ?? '')), [], 'it names no code that does not exist')
})
