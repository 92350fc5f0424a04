import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { pageOfFinding } from '../../console/rules/finding-pages.ts'

const diagnostics = fileURLToPath(new URL('../../src/diagnostics/', import.meta.url))

/** A person acts on these with the buttons beside the diagnosis, or not in the console. */
const here: readonly string[] = [
  'budget-behind',
  'capability-paused',
  'connection-deleted',
  'connection-disabled',
  'connection-moving',
  'connection-paused',
  'cursor-stuck',
  'upstream-away',
  'upstream-broken',
  'upstream-slowed',
  'upstream-throttled'
]

t.test('each finding of a diagnosis leads to the page where a person acts on it', async t => {
  const codes = new Set<string>()
  for await (const file of glob('*.ts', { cwd: diagnostics })) {
    const text = await readFile(diagnostics + file, 'utf8')
    for (const [, code = ''] of text.matchAll(/\bcode: '([a-z]+(?:-[a-z]+)+)'/g)) codes.add(code)
  }
  t.ok(codes.size > 25, `${codes.size} codes`)
  for (const code of codes) t.equal(pageOfFinding(code, 'c') === undefined, here.includes(code), code)
  t.strictSame(pageOfFinding('schedule-off', 'c'), {
    label: 'See the schedules',
    href: '/console/connections/c/schedules'
  })
  t.match(pageOfFinding('jobs-dead', 'c'), { href: '/console/jobs?connectionId=c&status=dead' })
})
