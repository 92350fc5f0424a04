import t from 'tap'
import { heldOf } from '../../console/rules/sweeps.ts'

t.test('only the last ended sweep of a shop may wait for a person', async t => {
  const sweep = (connectionId: string, status: string) => ({ connectionId, status })
  const waiting = sweep('a', 'held')

  t.strictSame(
    heldOf([sweep('a', 'running'), waiting, sweep('b', 'complete'), sweep('b', 'held'), sweep('a', 'held')]),
    [
      waiting
    ]
  )
  t.equal(heldOf([waiting])[0], waiting)
})
