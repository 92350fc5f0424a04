import { brotliCompressSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { buildConsole } from '../../console/build.ts'

t.test('the console stays small', async t => {
  const { files, outputs } = await buildConsole()
  const gzipped = (name: string): number => gzipSync(files.get(name) ?? '', { level: 9 }).length
  const named = (start: string, end: string): string =>
    [...files.keys()].find(name => name.startsWith(start) && name.endsWith(end)) ?? start

  /** A file with those that it cannot run without. */
  function withImports (name: string, found = new Set<string>()): Set<string> {
    if (found.has(name)) return found
    found.add(name)
    for (const next of outputs[name]?.imports ?? []) withImports(next, found)
    return found
  }

  const main = named('main-', '.js')
  const first = [...withImports(main), named('style-', '.css'), 'index.html', 'icon.svg']
  const plot = named('plot-', '.js')

  await t.test('the first load is at most 60 kB', t => {
    const bytes = first.map(gzipped).reduce((sum, size) => sum + size, 0)
    t.ok(bytes <= 60_000, `${bytes} bytes in ${first.length} files`)
    t.notOk(first.includes(plot), 'plots come when a page has one')
    t.end()
  })

  await t.test('the page names all scripts of the first load, so that no other one has to be read first', t => {
    const html = Buffer.from(files.get('index.html') ?? '').toString()
    for (const name of withImports(main)) t.ok(html.includes(`"/console/${name}"`), name)
    t.notOk(html.includes('{{'))
    t.end()
  })

  await t.test('the package grows by at most 120 kB', t => {
    const texts = [...files].map(([name, bytes]) => [name, Buffer.from(bytes).toString()])
    const bytes = brotliCompressSync(JSON.stringify(Object.fromEntries(texts))).length
    t.ok(bytes > 50_000 && bytes <= 115_000, `${bytes} bytes, and 5 000 for the chapter and the routes`)
    t.end()
  })

  await t.test('the plots are at most 25 kB', t => {
    const own = [...withImports(plot)].filter(name => !first.includes(name))
    const bytes = own.map(gzipped).reduce((sum, size) => sum + size, 0)
    t.ok(bytes > 10_000 && bytes <= 25_000, `${bytes} bytes`)
    t.end()
  })

  await t.test('every page is at most 8 kB, and 13 kB with the parts that it shares with other pages', t => {
    const pages = Object.entries(outputs).filter(([, { inputs }]) => inputs.some(input => /^pages\/[^/]+$/.test(input)))
    t.ok(pages.length > 15, `${pages.length} pages`)
    for (const [name] of pages) {
      if (name === main) continue
      const bytes = [...withImports(name)].filter(part => !first.includes(part)).map(gzipped)
        .reduce((sum, size) => sum + size, 0)
      t.ok(gzipped(name) <= 8_000, `${name}: ${gzipped(name)} bytes`)
      t.ok(bytes <= 13_000, `${name} with its parts: ${bytes} bytes`)
    }
    t.end()
  })

  t.match(
    Buffer.from(files.get('LICENSES.txt') ?? '').toString(),
    /^preact 11[\s\S]+MIT/m,
    'the licences are beside it'
  )
})
