import t from 'tap'
import { argumentOf, countOf, describeBytes, describeLength, endSentence, shellWord } from '../src/words.ts'

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

t.test('a size is told in megabytes as long as they are few', async t => {
  t.strictSame([0, 24_999_999, 9.99e9, 10e9].map(describeBytes), ['0 MB', '24 MB', '9990 MB', '10 GB'])
})

t.test('a sentence has one full stop', async t => {
  t.strictSame(['a', 'a.', 'a. ', 'a?'].map(endSentence), ['a.', 'a.', 'a.', 'a?'])
})

t.test('a command names a connection by its name, unless a shell would read it otherwise', async t => {
  t.equal(argumentOf({ id: 'id', name: "Ann's shop & co" }), `"Ann's shop & co"`)
  for (const name of ['-x', '$HOME']) t.equal(argumentOf({ id: 'id', name }), 'id')
  t.equal(argumentOf({ id: 'id', name: 'mkta' }), 'mkta')
})

t.test('a value is one word of a shell, whatever is in it', async t => {
  const words: [string, string][] = [
    ['SKU-27/R', 'SKU-27/R'],
    ['My shop', '"My shop"'],
    ["Ann's", `"Ann's"`],
    ['-x', '"-x"'],
    ['', '""'],
    ['$HOME', "'$HOME'"],
    ['a"b\'c', String.raw`'a"b'\''c'`]
  ]
  for (const [value, word] of words) t.equal(shellWord(value), word)
})

t.test('a number has its noun', async t => {
  t.strictSame([0, 1, 2].map(count => countOf(count, 'job')), ['0 jobs', '1 job', '2 jobs'])
})
