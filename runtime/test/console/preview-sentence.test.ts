import t from 'tap'
import { previewSentence } from '../../console/rules/preview-sentence.ts'

const none = { complete: true, seen: 30, changed: 0, kept: 0, linked: 0, missing: 0, held: false }

t.test('a dry run is told in one sentence', async t => {
  t.equal(previewSentence(none), '30 read, nothing would change.')
  t.equal(
    previewSentence({ ...none, changed: 2, kept: 1, linked: 3 }),
    '30 read, 2 would change, 1 would stay different, 3 would be linked.'
  )
  t.match(previewSentence({ ...none, complete: false }), /not all/)
  t.match(previewSentence({ ...none, missing: 25, held: true }), /25 missing: too many/)
})
