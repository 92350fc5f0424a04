import t from 'tap'
import { argumentOf, describeLength, endSentence } from '../../src/diagnostics/words.ts'

t.test('a length is told in its largest unit', async t => {
  const lengths = [0, 59_999, 60_000, 119_999, 3_600_000, 86_399_999, 86_400_000, 8 * 86_400_000]
  t.strictSame(lengths.map(describeLength), [
    '0 seconds',
    '59 seconds',
    '1 minute',
    '1 minute',
    '1 hour',
    '23 hours',
    '1 day',
    '8 days'
  ])
})

t.test('a sentence has one full stop', async t => {
  t.strictSame(['a', 'a.', 'a. ', 'a?'].map(endSentence), ['a.', 'a.', 'a.', 'a?'])
})

t.test('a command names a connection by its name, unless a shell would read it otherwise', async t => {
  t.equal(argumentOf({ id: 'id', name: "Ann's shop & co" }), `"Ann's shop & co"`)
  t.equal(argumentOf({ id: 'id', name: '$HOME' }), 'id')
})
