import { runConformance } from '@linker/sdk/testing'
import { transform } from 'esbuild'
import t from 'tap'
import { findFaults, limits } from './find-faults.ts'
import { goodAdapter, writeAdapter } from './good-adapter.ts'

t.test('the checks of package and import find every bad adapter', { jobs: 3 }, async t => {
  findFaults(t, 1)
})

t.test('a package that was compiled to CommonJS passes as the ES module does', async t => {
  const { packageJson, source, ...rest } = goodAdapter()
  const { code } = await transform(source, { format: 'cjs' })
  const { directory, remove } = await writeAdapter({
    ...rest,
    packageJson: { ...packageJson, type: 'commonjs' },
    source: code
  })
  t.teardown(remove)
  const { checks } = await runConformance(directory, { limits })

  t.strictSame(checks.filter(({ status }) => status === 'failed'), [])
})
