import { Money } from '@linker/sdk'
import t from 'tap'
import { patternSentences } from '../../src/http/pattern-sentences.ts'

t.test('the members of an amount of money are refused in words', async t => {
  for (const [name, { pattern = '' }] of Object.entries(Money.properties)) {
    t.match(patternSentences.get(pattern), /^must be /, name)
  }
})
