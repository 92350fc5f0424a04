import { AdapterErrorCode } from '@linker/sdk'
import { conformanceChecks } from '@linker/sdk/testing'
import t from 'tap'
import { readPage } from './guide.ts'

const page = readPage('docs/errors.md')

t.test('every error class is in the table', async t => {
  const sdk = await import('@linker/sdk')
  const names = Object.keys(sdk).filter(name =>
    name.endsWith('Error') && typeof Reflect.get(sdk, name) === 'function' && name !== 'AdapterError' &&
    name !== 'isAdapterError'
  )

  t.equal(names.length, 9)
  for (const name of names) t.match(page, new RegExp(`^\\| \`${name}[(\`]`, 'm'), name)
})

t.test('every code of these errors is in the table', async t => {
  for (const code of Object.values(AdapterErrorCode)) t.match(page, new RegExp(`^\\| .*\`${code}\` \\|`, 'm'), code)
})

t.test('every check of the conformance suite has one remedy', async t => {
  const [, chapter = ''] = page.split('\n## Findings of the conformance suite\n')
  const named = [...chapter.matchAll(/`(L\d-[A-Z]+-\d+)`/g)].map(([, id]) => id)

  t.strictSame(named.toSorted(), conformanceChecks.map(({ id }) => id).toSorted())
})
