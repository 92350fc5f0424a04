import { conformanceChecks } from '@linker/sdk/testing'
import { readFile } from 'node:fs/promises'
import t from 'tap'

const document = await readFile(new URL('../../../CONFORMANCE.md', import.meta.url), 'utf8')

t.test('the table of CONFORMANCE.md equals the checks in the code', async t => {
  const rows = document.split('\n').filter(line => line.startsWith('| L'))

  t.strictSame(rows, conformanceChecks.map(({ id, title, prevents }) => `| ${id} | ${title} | ${prevents} |`))
})

t.test('an id names its level and area, and is unique', async t => {
  const ids = conformanceChecks.map(({ id }) => id)

  t.strictSame(ids.filter((id, index) => ids.indexOf(id) !== index), [])
  for (const { id, level } of conformanceChecks) {
    t.match(id, new RegExp(`^L${level}-(MAN|IMP|SHP|RUN|ERR|ANS|ACC|SEC|ABT|PRM|FIX|PAG|WRT|EVT)-[0-9]{2}$`))
  }
})
