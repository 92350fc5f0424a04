import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { stepOfItem } from '../../console/rules/attention-steps.ts'

const items = fileURLToPath(new URL('../../src/attention/', import.meta.url))

t.test('the button of each item says where it leads', async t => {
  const kinds = new Set<string>()
  for await (const file of glob('**/*.ts', { cwd: items })) {
    const text = await readFile(items + file, 'utf8')
    for (const [, kind = ''] of text.matchAll(/\bkind: '([a-z-]+)'/g)) kinds.add(kind)
  }
  t.ok(kinds.size > 20, `${kinds.size} kinds`)
  for (const kind of kinds) t.not(stepOfItem({ kind, target: '/system' }).label, 'Look', kind)
})

t.test('an item leads to the tab where it is mended, or to what it counts', t => {
  t.strictSame(stepOfItem({ kind: 'connection-error', target: '/connections/7/diagnostics', connectionId: '7' }), {
    label: 'Correct the credentials',
    href: '/console/connections/7/settings'
  })
  t.strictSame(stepOfItem({ kind: 'dead-jobs', target: '/jobs?status=dead&code=A', connectionId: '7' }), {
    label: 'See the jobs',
    href: '/console/jobs?status=dead&code=A'
  })
  t.strictSame(stepOfItem({ kind: 'a-newer-kind', target: '/system' }), { label: 'Look', href: '/console/system' })
  t.end()
})
