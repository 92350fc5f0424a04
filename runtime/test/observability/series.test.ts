import { Registry } from 'prom-client'
import t from 'tap'
import {
  createCount,
  createFewNames,
  createKnownNames,
  createSeconds,
  createSummary,
  other
} from '../../src/observability/series.ts'

const options = (register: Registry, labelNames: readonly string[] = ['kind']) => ({
  register,
  name: 'tested',
  help: 'A series of the tests',
  labelNames
})

/** The lines that Prometheus would read, without comments. */
async function samples (register: Registry): Promise<string[]> {
  return (await register.metrics()).split('\n').filter(line => line !== '' && !line.startsWith('#'))
}

t.test('a counter adds up by its labels, and a scrape does not add again', async t => {
  const register = new Registry()
  const count = createCount(options(register))
  count(['a'])
  count(['a'], 2.5)
  count(['b'], 0)
  const first = await samples(register)
  count(['a'])

  t.strictSame(first, ['tested{kind="a"} 3.5', 'tested{kind="b"} 0'])
  t.strictSame(await samples(register), ['tested{kind="a"} 4.5', 'tested{kind="b"} 0'])
})

t.test('a number that cannot be added is left out and leaves the series as it was', async t => {
  const register = new Registry()
  const count = createCount(options(register))
  count(['a'])
  for (const by of [-1, Number.NaN, Infinity]) count(['a'], by)

  t.strictSame(await samples(register), ['tested{kind="a"} 1'])
})

t.test('label values keep to their places', async t => {
  const register = new Registry()
  const count = createCount(options(register, ['first', 'second']))
  count(['a', 'b'])
  count(['b', 'a'], 2)

  t.strictSame(await samples(register), ['tested{first="a",second="b"} 1', 'tested{first="b",second="a"} 2'])
})

t.test('times fall into buckets, and a time that is none into no bucket', async t => {
  const register = new Registry()
  const observe = createSeconds({ ...options(register), buckets: [0.1, 1] })
  for (const seconds of [0.05, 0.5, 5, Number.NaN]) observe(['a'], seconds)

  t.strictSame(await samples(register), [
    'tested_bucket{le="0.1",kind="a"} 1',
    'tested_bucket{le="1",kind="a"} 2',
    'tested_bucket{le="+Inf",kind="a"} 3',
    'tested_sum{kind="a"} 5.55',
    'tested_count{kind="a"} 3'
  ])
})

t.test('a summary takes negative values and no infinite ones', async t => {
  const register = new Registry()
  const observe = createSummary(options(register))
  for (const value of [-3, 1, -Infinity]) observe(['a'], value)

  t.strictSame((await samples(register)).slice(-2), ['tested_sum{kind="a"} -2', 'tested_count{kind="a"} 2'])
})

t.test('a name is known from the moment that its owner appears, and stays known', async t => {
  const present = ['feed']
  const names = createKnownNames(() => present, 'unknown')

  t.equal(names.of('mail'), 'unknown')
  present.splice(0, 1, 'mail')
  t.equal(names.of('mail'), 'mail')
  present.length = 0
  t.equal(names.of('mail'), 'mail')
  names.add('gone')
  t.equal(names.of('gone'), 'gone')
})

t.test('an owner that invents names loses only its own further names', async t => {
  const nameOf = createFewNames({ form: /^[a-z]+$/, most: 2 })

  t.strictSame(['one', 'Two', 'two', 'three', 'one'].map(name => nameOf('feed', name)), [
    'one',
    other,
    'two',
    other,
    'one'
  ])
  t.equal(nameOf('mail', 'three'), 'three')
})
