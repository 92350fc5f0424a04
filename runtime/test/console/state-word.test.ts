import t from 'tap'
import { stateWord } from '../../console/rules/state-word.ts'

t.test('a value of the API becomes a word; what people wrote stays', async t => {
  t.equal(stateWord('ACTIVE'), 'active')
  t.equal(stateWord('awaiting_mapping'), 'awaiting mapping')
  t.equal(stateWord('within-lag'), 'within lag')
  t.equal(stateWord('3 refused'), '3 refused')
  t.equal(stateWord('200'), '200')
})
