import t from 'tap'
import { toAllowedHtml } from '../../src/offers/allowed-html.ts'

/** The check of the marketplace. */
const inner = '(?:[^<>]|<b>[^<>]*</b>)*'
const allowed = new RegExp(`^(?:<h([12])>[^<>]*</h\\1>|<p>${inner}</p>|<(ul|ol)>(?:<li>${inner}</li>)+</\\2>)*$`)

const cases: [string, string][] = [
  ['Nice mug', '<p>Nice mug</p>'],
  ['first\nsecond\r\n\r\nthird', '<p>first</p><p>second</p><p>third</p>'],
  ['a < b & c > d', '<p>a &lt; b &amp; c &gt; d</p>'],
  ['fish &amp; chips &eacute;', '<p>fish &amp; chips &eacute;</p>'],
  ['<p>one<br>two</p>', '<p>one</p><p>two</p>'],
  ['<h1 class="x">Title <b>bold</b></h1><h4>Sub</h4>text', '<h1>Title bold</h1><h2>Sub</h2><p>text</p>'],
  ['<p>a <strong>b</strong><em>c</em></p>', '<p>a <b>b</b>c</p>'],
  [
    '<ul><li>a<br>b</li><li><p>c</p><ul><li>d</li></ul></li></ul>e',
    '<ul><li>a b</li><li>c</li><li>d</li></ul><p>e</p>'
  ],
  ['<ol><li>x', '<ol><li>x</li></ol>'],
  ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', '<p>a b</p><p>c</p>'],
  ['<script>alert(1)</script><style>p{}</style><img src=x>', ''],
  ['<p> &nbsp; </p><ul></ul>', ''],
  ['<p>line\nend</p>', '<p>line end</p>'],
  ['', '']
]

t.test('any HTML and any text becomes the few elements that the marketplace allows', async t => {
  for (const [html, expected] of cases) t.equal(toAllowedHtml(html), expected, html)
})

t.test('the marketplace accepts the result of any input', async t => {
  const parts = [
    '<p>',
    '</p>',
    '<b>',
    '</b>',
    '<ul>',
    '</ol>',
    '<li>',
    '</li>',
    '<h1>',
    '</h1>',
    '<br>',
    'text',
    ' & ',
    '<',
    '>',
    '<div',
    '\n',
    '&#60;',
    '<td>',
    '"',
    '<!--'
  ]
  let seed = 7
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let round = 0; round < 2_000; round++) {
    const html = Array.from({ length: next(12) }, () => parts[next(parts.length)]).join('')
    const result = toAllowedHtml(html)
    if (!allowed.test(result)) t.fail(`${html} became ${result}`)
  }
})

t.test('a numeric reference in the Windows code page becomes the character that browsers show', async t => {
  t.equal(toAllowedHtml('a &#150; b'), '<p>a – b</p>')
})

t.test('time grows with the length, not with its square', async t => {
  for (const piece of ['<a b=">"', '<a b="', '<!--', '<b>x', '<', 'x <br>', '&nbsp; ', 'x\n', ' \n', '\r']) {
    const startedAt = performance.now()
    toAllowedHtml(piece.repeat(40_000))
    t.ok(performance.now() - startedAt < 2_000, piece)
  }
})
