import fc from 'fast-check'
import t from 'tap'
import { toAllowedHtml } from '../../src/offers/allowed-html.ts'

const cases: Record<string, [html: string, allowed: string][]> = {
  'allowed elements stay': [
    [
      '<h1>A</h1><h2>B</h2><h3>C</h3><p>d <b>e</b><br/>f</p><ol><li>g</li></ol><ul><li>h</li><li>i</li></ul>',
      '<h1>A</h1><h2>B</h2><h3>C</h3><p>d <b>e</b><br/>f</p><ol><li>g</li></ol><ul><li>h</li><li>i</li></ul>'
    ],
    ['Nice mug', '<p>Nice mug</p>']
  ],
  'plain text keeps its lines, and empty lines separate paragraphs; in HTML both are spaces': [
    ['First line\nSecond line <3 & more', '<p>First line<br/>Second line &lt;3 &amp; more</p>'],
    ['\n a \r\n\tb\r c\n \n\n d\n', '<p>a<br/>b<br/>c</p><p>d</p>'],
    ['a<!-- b\n -->c\nd', '<p>ac<br/>d</p>'],
    ['a\nb<br>c\n\nd', '<p>a b<br/>c d</p>']
  ],
  'scripts, styles and comments are dropped with their content': [
    [
      'a<script>if (a < b) "</p>"</script>b<style>p > a {}</style>c<!-- <p>d</p> -->e<SCRIPT src=x></SCRIPT >f',
      '<p>abcef</p>'
    ],
    ['a<script>never closed', '<p>a</p>'],
    ['a<!-- never closed', '<p>a</p>']
  ],
  'other blocks become paragraphs, headings stay headings, and a space separates cells': [
    ['<div>a<section>b</section>c</div><blockquote>d</blockquote>', '<p>a</p><p>b</p><p>c</p><p>d</p>'],
    ['<h5>a</h5>b', '<h3>a</h3><p>b</p>'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', '<p>a b</p><p>c</p>']
  ],
  'other elements leave their text, without attributes': [
    [
      '<p class="x" style=\'y\'>a <a href="https://x.test/?a>b">link</a> <em>c</em><strong>d</strong><img alt="e"></p>',
      '<p>a link c<b>d</b></p>'
    ],
    ['<my-element data-a=1>a</my-element>', '<p>a</p>']
  ],
  'broken markup loses no text': [
    ['<p>a<p>b</div></b>c', '<p>a</p><p>b</p><p>c</p>'],
    ['<b>a<p>b</b>c', '<p><b>a</b></p><p><b>b</b>c</p>'],
    ['5 < 6 > 4 <3 <', '<p>5 &lt; 6 &gt; 4 &lt;3 &lt;</p>'],
    ['a <b', '<p>a &lt;b</p>'],
    ['<a title="never closed>a</a><p>b</p>', '<p>a</p><p>b</p>'],
    ['<li>a</li></ul>b', '<p>a</p><p>b</p>']
  ],
  'lists become flat, and the paragraphs of an item become lines': [
    [
      '<ul><li>a<ol><li>b</li></ol>c</li><li><p>d</p><p>e</p></li></ul>f',
      '<ul><li>a</li><li>b</li><li>c</li><li>d<br/>e</li></ul><p>f</p>'
    ],
    ['<ul><li>never closed', '<ul><li>never closed</li></ul>'],
    ['<ul> </ul><ol><li>&nbsp;</li></ol>', '']
  ],
  'character references stay valid': [
    ['&nbsp;&oacute;&amp;&lt;b&gt; AT&T &copy=1 &', '<p>&nbsp;&oacute;&amp;&lt;b&gt; AT&amp;T &amp;copy=1 &amp;</p>'],
    ['&#243;&#x17c;&#60;b&#62;&#38;lt; &#150; &#0;&#xD800;&#9999999;', '<p>óż&lt;b&gt;&amp;lt; –</p>']
  ],
  'invisible content is dropped': [
    ['', ''],
    ['<p>&nbsp;</p><br><p><b> </b></p>', ''],
    ['<br>a<br><br>', '<p>a</p>'],
    [' a\n\n<i> b</i> ', '<p>a b</p>'],
    ['<p>\n\u0000\n&amp;', '<p>&amp;</p>'],
    ['<p>a &#32; &#1; b</p>', '<p>a b</p>']
  ]
}

for (const [sentence, pairs] of Object.entries(cases)) {
  t.test(sentence, async t => {
    for (const [html, allowed] of pairs) t.equal(toAllowedHtml(html), allowed, html)
  })
}

const element = /<(?:(h[123]|p|li)>(?:(?!<\/?(?:h[123]|p|li|ul|ol)>).)+<\/\1>|\/?[uo]l>)/gs

t.test('any input becomes allowed elements, closed and in order, and a second pass changes nothing', async t => {
  const pieces = [
    '<p>',
    '</p>',
    '<div a="',
    '">',
    "='",
    '<ul>',
    '</ul>',
    '<ol>',
    '<li>',
    '</li>',
    '<b>',
    '</b>',
    '<strong>',
    '<br>',
    '<h1>',
    '</h1>',
    '<h6>',
    '<td>',
    '<script>',
    '</script>',
    '<!--',
    '-->',
    '<',
    '>',
    '&',
    '&amp;',
    '&#60;',
    '&#x',
    ';',
    ' ',
    '\n',
    'a',
    'ż',
    '&nbsp;',
    '&#32;',
    '\u0000',
    '/',
    '"'
  ]
  const part = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 3 }))
  const document = fc.array(part, { maxLength: 30 }).map(parts => parts.join(''))

  fc.assert(fc.property(document, html => {
    const allowed = toAllowedHtml(html)
    const bare = allowed.replaceAll(element, '')
    const inner = allowed.replaceAll(/<\/?(?:h[123]|p|li|ul|ol|b)>|<br\/>|&(?:lt|gt|amp|[a-z][a-z0-9]*);/gi, '')
    const isClosed = allowed.split('<b>').length === allowed.split('</b>').length
    return bare === '' && !/[<>&]/.test(inner) && isClosed && toAllowedHtml(allowed) === allowed
  }))
  t.pass()
})

t.test('time grows with the length, not with its square', async t => {
  for (const piece of ['<a b=">"', '<a b="', '<!--', '<b>x', '<', 'x <br>', '&nbsp; ', 'x\n', ' \n', '\r']) {
    const startedAt = performance.now()
    toAllowedHtml(piece.repeat(40_000))
    t.ok(performance.now() - startedAt < 2_000, piece)
  }
})
