import { runConformance } from '@linker/sdk/testing'
import type { Test } from 'tap'
import { badAdapters } from './bad-adapters.ts'
import { copyOfZoo, goodAdapter, writeAdapter } from './good-adapter.ts'

/** Shorter than the suite's limits, because the test waits for a bad adapter of every kind. */
export const limits = { importMs: 2_500, settleMs: 3_000, endMs: 1_000 }

/** Tests that the checks of one level find every bad adapter that they should find. */
export function findFaults (t: Test, level: 1 | 2): void {
  for (const bad of badAdapters.filter(({ checks }) => checks.every(id => id.startsWith(`L${level}-`)))) {
    t.test(`${bad.checks.join(', ')}: ${'zoo' in bad ? bad.zoo : bad.how}`, { buffered: true }, async t => {
      const { directory, remove } = 'zoo' in bad
        ? await copyOfZoo(bad.zoo)
        : await writeAdapter(bad.spoil(goodAdapter()), bad.extra)
      t.teardown(remove)
      const { isPassed, checks } = await runConformance(directory, { only: bad.checks, limits })

      t.strictSame(checks.filter(({ status }) => status === 'failed').map(({ id }) => id), bad.checks)
      t.ok(checks.flatMap(({ findings }) => findings).every(({ message }) => message.length > 5))
      t.notOk(isPassed)
    })
  }
}
