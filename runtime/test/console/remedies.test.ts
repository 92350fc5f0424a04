import { readFile } from 'node:fs/promises'
import t from 'tap'
import { parseRemedies } from '../../console/rules/remedies.ts'
import * as errors from '../../src/errors.ts'

t.test('every code of the hub has its cause and its remedy', async t => {
  const found = parseRemedies(await readFile(new URL('../../docs/errors.md', import.meta.url), 'utf8'))
  const codes = Object.values(errors).flatMap(made => {
    const { code } = Reflect.construct(made, []) as { code?: string }
    return code === undefined ? [] : [code]
  })
  t.ok(codes.length > 80, 'the codes are found')
  for (const code of codes) {
    t.ok(found.get(code)?.cause, `${code}: the cause`)
    t.ok(found.get(code)?.remedy, `${code}: the remedy`)
  }
})
