import { testAdapter } from '@linker/sdk/testing'
import t from 'tap'

t.test('the adapter conforms', async t => {
  const { isPassed } = await testAdapter(t, new URL('..', import.meta.url))

  t.ok(isPassed)
})
