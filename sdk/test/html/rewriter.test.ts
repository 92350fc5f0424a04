import { createHtmlRewriter, type HtmlRules } from '@linker/sdk/html'
import fc from 'fast-check'
import t from 'tap'

const rich: HtmlRules = { headings: 3, boldHeadings: true, lineBreaks: true }
const poor: HtmlRules = { headings: 2, boldHeadings: false, lineBreaks: false }

const cases: [html: string, rich: string, poor: string][] = [
  ['Nice mug', '<p>Nice mug</p>', '<p>Nice mug</p>'],
  ['a\nb\n\nc', '<p>a<br/>b</p><p>c</p>', '<p>a</p><p>b</p><p>c</p>'],
  ['<h1>A <b>b</b></h1><h5>C</h5>', '<h1>A <b>b</b></h1><h3>C</h3>', '<h1>A b</h1><h2>C</h2>'],
  [
    '<ul><li>a<br>b</li><li><p>c</p><p>d</p></li></ul>',
    '<ul><li>a<br/>b</li><li>c<br/>d</li></ul>',
    '<ul><li>a b</li><li>c d</li></ul>'
  ],
  ['<p>a<br>b</p>', '<p>a<br/>b</p>', '<p>a</p><p>b</p>'],
  ['<script>x</script><!-- y --><p>&nbsp;</p>', '', '']
]

t.test('the rules of a platform decide what stays', async t => {
  for (const [html, withAll, withFew] of cases) {
    t.equal(createHtmlRewriter(rich)(html), withAll, html)
    t.equal(createHtmlRewriter(poor)(html), withFew, html)
  }
})

t.test('a second pass changes nothing, whatever the rules and the input', async t => {
  const pieces = [
    '<p>',
    '</p>',
    '<ul>',
    '</ul>',
    '<li>',
    '<b>',
    '</b>',
    '<br>',
    '<h1>',
    '<h6>',
    '<td>',
    '&',
    '<',
    ' ',
    '\n'
  ]
  const part = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 3 }))
  const rules = fc.record({
    headings: fc.constantFrom(1, 2, 3, 4, 5, 6) as fc.Arbitrary<HtmlRules['headings']>,
    boldHeadings: fc.boolean(),
    lineBreaks: fc.boolean()
  })

  fc.assert(fc.property(fc.array(part, { maxLength: 30 }), rules, (parts, given) => {
    const rewrite = createHtmlRewriter(given)
    const once = rewrite(parts.join(''))
    return rewrite(once) === once && (given.lineBreaks || !once.includes('<br'))
  }))
  t.pass()
})
