import t from 'tap'
import { takesVersion } from '../../../src/testing/conformance/caret-range.ts'

t.test('a caret range includes versions that are equal up to the first non-zero number', async t => {
  const cases: [string, string, boolean][] = [
    ['^1.2.3', '1.2.3', true],
    ['^1.2.3', '1.10.0', true],
    ['^1.2.3', '1.2.2', false],
    ['^1.2.3', '2.0.0', false],
    ['^1.2.3', '0.9.9', false],
    ['^0.2.3', '0.2.4', true],
    ['^0.2.3', '0.3.0', false],
    ['^0.2.3', '0.2.2', false],
    ['^0.0.3', '0.0.3', true],
    ['^0.0.3', '0.0.4', false],
    ['^0.0.0', '0.0.0', true],
    ['^0.0.0', '0.0.1', false]
  ]
  for (const [range, version, expected] of cases) t.equal(takesVersion(range, version), expected, `${range} ${version}`)
})

t.test('any other range gives undefined', async t => {
  for (const range of ['*', '1.2.3', '~1.2.3', '>=1.0.0', '^1.2', '^1.2.3 || ^2.0.0', '']) {
    t.equal(takesVersion(range, '1.2.3'), undefined, range)
  }
})
