import t from 'tap'
import { compileLinearPattern } from '../../src/host/linear-pattern.ts'

const patterns = [
  '^[0-9a-f]{8}$',
  '^https?://[^\\s?#@]+$',
  '^application/[A-Za-z0-9.+-]+$',
  '^[\\x20-\\x7e]{1,200}$',
  'a',
  '',
  '^$',
  '^(?:a|b|)c?$',
  '^(https?://[^\\s?#@]+)?$',
  '^[^]$',
  '^[]$',
  '^.$',
  '^\\S+$',
  '^[\\S]$',
  '^[^\\S]$',
  '^\\w+\\b.\\B',
  '^\\p{L}+$',
  '^\\P{Lu}$',
  '^\\p{Script=Greek}+$',
  '^[\\u{1f600}-\\u{1f64f}]$',
  '^[\\]\\-^]+$',
  '^(?<name>x)y*?$',
  '^[\\d\\D]$',
  '^(?:[a-z0-9]+\\.)+[a-z]{2,}$',
  '\\.$',
  '^\\/\\*$',
  '^-?[0-9]{1,12}(\\.[0-9]{1,6})?$',
  '^a{2,}$',
  '^\\cJ$'
]

const texts = [
  '',
  'a',
  'b',
  'c',
  'ac',
  'bc',
  'x',
  'xy',
  'xyy',
  'A',
  'É',
  'é',
  'αβγ',
  '\n',
  '\r',
  '\u2028',
  '\u00a0',
  '\ufeff',
  '\u000b',
  ' ',
  '\t',
  '😀',
  '\ud83d',
  '0123abcd',
  '0123ABCD',
  'https://shop.example/path',
  'https://shop.example/\u00a0',
  'http://a?b',
  'application/json',
  'application/',
  ']-^',
  '/*',
  '19.99',
  '-19.999999',
  '1.',
  'www.shop.example',
  'aa',
  'aaa',
  'word!'
]

t.test('a pattern matches the same texts as in JavaScript', async t => {
  for (const pattern of patterns) {
    const { test } = compileLinearPattern(pattern)
    const expected = new RegExp(pattern, 'u')
    t.strictSame(texts.filter(text => test(text)), texts.filter(text => expected.test(text)), pattern)
  }
})

t.test('a part that cannot be tested in linear time is refused, and the reason names it', async t => {
  const refused: [string, RegExp][] = [
    ['^(?=a)b', /'\(\?=a\)' is a lookahead/],
    ['(?<!a)b', /'\(\?<!a\)' is a lookbehind/],
    ['^(a|aa)\\1$', /'\\1' is a reference to a group/],
    ['^(a+)+$', /'\(a\+\)\+' is a repetition of nothing but a repetition/],
    ['^(?:(?:[a-z]*))*$', /is a repetition of nothing but a repetition/],
    ['^(?:b|(a+))+$', /is a repetition of nothing but a repetition/],
    ['^\\p{Alphabetic}$', /a property of characters/],
    ['^(?:[a-z]{1,1000}){1,1000}$', /./],
    ['^(?:[a-z0-9]{1,400}-){1,20}$', /./],
    ['^[a-z', /./],
    [`^${'a'.repeat(2_000)}$`, /longer than 2000 characters/]
  ]
  for (const [pattern, reason] of refused) t.throws(() => compileLinearPattern(pattern), reason, pattern)
})

t.test('a pattern that backtracks without end elsewhere tests a quarter of a megabyte at once', async t => {
  const text = `${'a'.repeat(262_143)}!`
  for (
    const pattern of [
      '^([a-z]+-?)+$',
      '^(a|a|aa)*$',
      '(a*)b',
      '^.*a.*a.*a.*b$',
      '^(?:a?){200}a{200}$',
      '\\s+$',
      '^[a-z]{1,800}x'
    ]
  ) {
    const startedAt = performance.now()
    const fits = compileLinearPattern(pattern).test(text)
    const elapsedMs = performance.now() - startedAt
    t.equal(fits, false, pattern)
    t.ok(elapsedMs < 5_000, `${pattern}: ${Math.round(elapsedMs)} ms`)
  }
})
