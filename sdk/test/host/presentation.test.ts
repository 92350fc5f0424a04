import { mostIconBytes, readIcon, readStartInside, withoutWrongPresentation } from '@linker/sdk/host'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const manifest = { adapterKey: 'feedshop.api.v1', displayName: 'Feedshop' }

function read (t: Test, content: string | Buffer) {
  return readIcon(t.testdir({ 'icon.svg': content }), 'icon.svg')
}

t.test('links and an icon are taken as they are', async t => {
  const given = {
    ...manifest,
    icon: './images/icon.svg',
    links: {
      help: 'https://docs.feedshop.example/a?b=c#d',
      keys: 'https://feedshop.example:8443',
      status: 'https://status.feedshop.example/',
      register: `https://feedshop.example/${'a'.repeat(475)}`
    }
  }

  t.strictSame(withoutWrongPresentation(given), { manifest: given, warnings: [] })
  t.strictSame(withoutWrongPresentation(manifest), { manifest, warnings: [] })
  for (const value of [undefined, null, 'text', []]) {
    t.strictSame(withoutWrongPresentation(value), { manifest: value, warnings: [] })
  }
})

t.test('a wrong link is left out with a warning, and the right ones stay', async t => {
  const wrong = [
    'http://feedshop.example',
    'javascript:alert(1)',
    'https://feedshop.example@attacker.example/',
    'https://feedshop.example\\@attacker.example/',
    'https://feedshop.example/a b',
    'https://feedshop.example/\u202e',
    'https://300.300.300.300/',
    `https://feedshop.example/${'a'.repeat(476)}`,
    '',
    7
  ]
  for (const help of wrong) {
    const { manifest: { links }, warnings } = withoutWrongPresentation({
      ...manifest,
      links: { help, keys: 'https://feedshop.example/keys' }
    }) as { manifest: { links: object }, warnings: string[] }
    t.strictSame(links, { keys: 'https://feedshop.example/keys' }, String(help))
    t.match(warnings, [/^\/linker\/links\/help /])
  }
  const unknown = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x${index}`, 'https://x.example']))
  t.match(withoutWrongPresentation({ ...manifest, links: unknown }), {
    manifest: { links: {} },
    warnings: { length: 5 }
  })
  t.match(withoutWrongPresentation({ ...manifest, links: [] }), { manifest, warnings: [/^\/linker\/links /] })
  t.match(withoutWrongPresentation({ ...manifest, icon: 7 }), { manifest, warnings: [/^\/linker\/icon /] })
})

t.test('the content says what an icon is', async t => {
  const starts = ['', '\uFEFF', ' \n', '<?xml version="1.0"?>\n', '<!-- made by hand --><!-- twice -->\n']
  for (const start of starts) t.equal((await read(t, start + svg)).type, 'image/svg+xml', start)
  const { type, bytes, etag } = await read(t, png)
  t.equal(type, 'image/png')
  t.strictSame(bytes, png)
  t.match(etag, /^"[\w-]{43}"$/)
  t.not((await read(t, svg)).etag, etag)
})

t.test('other content, too much of it, and files elsewhere are no icon', async t => {
  const wrong = [
    '',
    '<html><svg></svg></html>',
    '<svgs/>',
    `<!DOCTYPE svg [<!ENTITY a "aa">]>${svg}`,
    '<script>alert(1)</script>',
    Buffer.from(svg, 'utf16le'),
    Buffer.from([...Buffer.from(svg), 0xff]),
    png.subarray(0, 7)
  ]
  for (const content of wrong) await t.rejects(read(t, content), /neither PNG nor SVG/)
  t.equal((await read(t, svg.padEnd(mostIconBytes))).bytes.length, mostIconBytes)
  await t.rejects(read(t, svg.padEnd(mostIconBytes + 1)), /has 16385 bytes, at most 16384/)
  // A pattern that tries every end of each comment would take minutes.
  await t.rejects(read(t, '<!----'.repeat(2_700)), /neither PNG nor SVG/)

  const directory = t.testdir({ package: { icons: {} }, 'icon.svg': svg })
  await symlink('../icon.svg', join(directory, 'package', 'link.svg'))
  for (const path of ['../icon.svg', join(directory, 'icon.svg'), 'link.svg']) {
    await t.rejects(readIcon(join(directory, 'package'), path), /is not inside the package/, path)
  }
  await t.rejects(readIcon(join(directory, 'package'), 'icons'), /is no file/)
  await t.rejects(readIcon(join(directory, 'package'), 'missing.svg'), /missing\.svg cannot be read/)
})

t.test('the start of a longer file is read', async t => {
  const directory = t.testdir({ 'CHANGELOG.md': 'abcdef' })

  const { bytes, size } = await readStartInside(directory, 'CHANGELOG.md', 4)

  t.strictSame([bytes.toString(), size], ['abcd', 6])
})
