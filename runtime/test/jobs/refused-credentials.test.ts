import t from 'tap'
import { noteRefused, refusedBy } from '../../src/jobs/refused-credentials.ts'

t.test('only the error that was noted names the credentials that it concerns', async t => {
  const error = new Error('refused')
  noteRefused(error, { connectionId: 'c', credentialsVersion: 'db:a:1' })

  t.strictSame(refusedBy(error), { connectionId: 'c', credentialsVersion: 'db:a:1' })
  t.equal(refusedBy(new Error('refused')), undefined)
  for (const thrown of ['refused', null, undefined]) t.equal(refusedBy(thrown), undefined)
})
