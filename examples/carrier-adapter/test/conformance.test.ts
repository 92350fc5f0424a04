import { testAdapter } from '@linker/sdk/testing'
import t from 'tap'

t.test('the adapter conforms', async t => {
  const { isPassed, checks } = await testAdapter(t, new URL('..', import.meta.url))

  t.ok(isPassed)
  t.equal(checks.find(({ id }) => id === 'L2-ERR-01')?.status, 'passed', 'the suite called the methods of the carrier')
})
