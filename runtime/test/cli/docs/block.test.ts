import t from 'tap'
import { withReference } from '../../../src/cli/docs/block.ts'

t.test('the tables stand between the markers, and the text around them stays', async t => {
  const readme = '# Mine\n\n<!-- linker docs -->\nold\n<!-- /linker docs -->\n\nEnd\n'
  const written = withReference(readme, 'new')

  t.equal(written, '# Mine\n\n<!-- linker docs -->\n\nnew\n\n<!-- /linker docs -->\n\nEnd\n')
  t.equal(withReference(written ?? '', 'new'), written, 'a second time changes nothing')
})

t.test('a README without exactly one pair of markers is refused', async t => {
  for (
    const readme of [
      '# Mine',
      '<!-- linker docs -->',
      '<!-- /linker docs -->',
      '<!-- linker docs --><!-- linker docs --><!-- /linker docs -->'
    ]
  ) {
    t.equal(withReference(readme, 'new'), undefined, readme)
  }
})
