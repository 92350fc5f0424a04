import t from 'tap'
import { shellWord } from '../../console/rules/shell.ts'

t.test('a word is quoted only when a shell would read more into it', async t => {
  t.equal(shellWord('SKU-27-R'), 'SKU-27-R')
  t.equal(shellWord('a b'), "'a b'")
  t.equal(shellWord("$(id)'s"), String.raw`'$(id)'\''s'`)
  t.equal(shellWord(''), "''")
})
