import { readFile } from 'node:fs/promises'
import t from 'tap'
import * as errors from '../src/errors.ts'

t.test('the table in the README lists every code with its cause and remedy, and no other', async t => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const section = readme.slice(readme.indexOf('\n## Errors'))
  const listed = [...section.matchAll(/^\| `(LNK_[A-Z_]+)` \| (.+) \| (.+) \|$/gm)].map(match => match[1])

  const codes = Object.values(errors).map(make => make().code)

  t.strictSame(listed.toSorted(), codes.toSorted())
  t.equal(new Set(codes).size, codes.length, 'no code is used twice')
})
