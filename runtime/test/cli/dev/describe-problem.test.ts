import t from 'tap'
import type { AdapterProblem } from '../../../src/adapters/states.ts'
import { describeProblem } from '../../../src/cli/dev/describe-problem.ts'

const problem = (code: AdapterProblem['code'], message: string): AdapterProblem => ({ state: 'failed', code, message })

t.test('a problem is told without what its author knows: the name and the folder', async t => {
  const message =
    "'/adapters/feed' (/adapters/feed): its import failed at /adapters/feed/src/index.ts:12: unexpected token"

  t.strictSame(describeProblem(problem('LNK_ADAPTER_IMPORT_FAILED', message), '/adapters/feed'), [
    'LNK_ADAPTER_IMPORT_FAILED: its import failed at src/index.ts:12: unexpected token',
    'remedy: correct it and save; docs/errors.md of @linker/runtime explains LNK_ADAPTER_IMPORT_FAILED'
  ])
})

t.test('what authors meet often has its own remedy', async t => {
  const cases: [AdapterProblem | Error, RegExp][] = [
    [problem('LNK_ADAPTER_IMPORT_FAILED', "Cannot find module '/adapters/client.js' imported from x"), /ending \.ts/],
    [problem('LNK_ADAPTER_IMPORT_FAILED', 'TypeScript enum is not supported in strip-only mode'), /erasableSyntaxOnly/],
    [problem('LNK_ADAPTER_IMPORT_FAILED', "Cannot find package 'left-pad' imported from x"), /npm install/],
    [problem('LNK_ADAPTER_MANIFEST_INVALID', '/version must be a SemVer version'), /package\.json/],
    [problem('LNK_ADAPTER_SHAPE_INVALID', 'no default export'), /definition/],
    [new Error('npm run build failed:\nsrc/index.ts(1,1): error TS1'), /the build names/]
  ]
  for (const [given, remedy] of cases) t.match(describeProblem(given, '/adapters/feed').at(-1), remedy)
})

t.test('every line of a build stays', async t => {
  t.strictSame(describeProblem(new Error('npm run build failed:\none\ntwo'), '/work').slice(0, -1), [
    'npm run build failed:',
    'one',
    'two'
  ])
})
