import t from 'tap'
import * as errors from '../src/errors.ts'
import { readPage } from './pages.ts'

t.test('the table of the page lists every code with its cause and remedy, and no other', async t => {
  const page = await readPage('errors')
  const listed = [...page.matchAll(/^\| `(LNK_[A-Z_]+)` \| (.+) \| (.+) \|$/gm)].map(match => match[1])

  const codes = Object.values(errors).map(make => make().code)

  t.strictSame(listed.toSorted(), codes.toSorted())
  t.equal(new Set(codes).size, codes.length, 'no code is used twice')
})
