import { testAdapter } from '@linker/sdk/testing'
import { readFile } from 'node:fs/promises'
import t from 'tap'

t.test('the adapter conforms', async t => {
  const { isPassed, checks } = await testAdapter(t, new URL('..', import.meta.url))

  t.ok(isPassed)
  t.equal(checks.find(({ id }) => id === 'L2-ERR-01')?.status, 'passed', 'the suite called the methods of the shop')
})

t.test('the whole adapter is at most 60 lines', async t => {
  const source = await readFile(new URL('../src/index.ts', import.meta.url), 'utf8')
  const lines = source.trimEnd().split('\n')

  t.ok(lines.length > 20 && lines.length <= 60, `${lines.length} lines`)
})
