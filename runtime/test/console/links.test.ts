import t from 'tap'
import { extrasOf, safeLink } from '../../console/rules/links.ts'

t.test('only an https address becomes a link', async t => {
  t.strictSame(safeLink('https://shop.example/keys'), { href: 'https://shop.example/keys', host: 'shop.example' })
  for (const address of ['http://shop.example', 'javascript:alert(1)', '/console', 7, null]) {
    t.equal(safeLink(address), undefined)
  }
})

t.test('an adapter without links, icon and changelog is fine', async t => {
  const none = { links: [], icon: undefined, hasChangelog: false }

  t.strictSame(extrasOf({}), none)
  t.strictSame(extrasOf({ links: {}, icon: null, hasChangelog: false }), none)
  t.strictSame(
    extrasOf({ links: { help: 'https://a.example/', keys: 'ftp://b' }, icon: '/adapters/a/icon', hasChangelog: true }),
    {
      links: [{ name: 'help', href: 'https://a.example/', host: 'a.example' }],
      icon: '/adapters/a/icon',
      hasChangelog: true
    }
  )
  t.equal(extrasOf({ icon: 'https://a.example/icon.svg' }).icon, undefined)
})
