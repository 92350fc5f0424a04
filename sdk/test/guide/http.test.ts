import { describeAdapter } from '@linker/sdk/host'
import t from 'tap'
import { codeOf, importExample } from './guide.ts'

t.test('the host finds the budget of the example', async t => {
  const { default: adapter } = await importExample(t, codeOf('docs/http.md')) as { default: unknown }

  t.strictSame(describeAdapter(adapter).budget, { ratePerSecond: 9, burst: 60 })
})
