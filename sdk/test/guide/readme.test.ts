import { adapterTag, contractVersion, Manifest, requiredMethods, type Adapter, type ProductMaster } from '@linker/sdk'
import { Value } from '@sinclair/typebox/value'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { failureOf, startUpstream } from '../http/support.ts'
import { codeOf, createContext, importExample, manifest, packageJson, readPage } from './guide.ts'

const example = join(import.meta.dirname, '../../../examples/minimal-adapter')

async function importAdapter (t: Test): Promise<Adapter> {
  const { default: adapter } = await importExample(t, codeOf('README.md')) as { default: Adapter }
  return adapter
}

t.test('the adapter is that of the minimal example', async t => {
  t.equal(codeOf('README.md'), await readFile(join(example, 'src/index.ts'), 'utf8'))
})

t.test('its package.json says the same as that of the example', async t => {
  const { version: _own, ...described } = JSON.parse(packageJson)
  const { name, type, keywords, linker, peerDependencies, dependencies } = JSON
    .parse(await readFile(join(example, 'package.json'), 'utf8'))

  t.match(described, { name, type, keywords, peerDependencies, dependencies })
  t.match(described.linker, linker)
})

t.test('the manifest is valid and agrees with the code', async t => {
  const adapter = await importAdapter(t)
  const { engines, peerDependencies } = JSON.parse(packageJson)

  t.strictSame([...Value.Errors(Manifest, manifest)], [])
  t.strictSame(manifest.capabilities, Object.keys(adapter.capabilities))
  t.equal(adapter[adapterTag], contractVersion)
  t.equal(engines.linker, `^${contractVersion}`)
  t.equal(peerDependencies['@linker/sdk'], `^${contractVersion}`)
})

t.test('the adapter reads products from its platform', async t => {
  const adapter = await importAdapter(t)
  const article = { id: 27, title: 'Lamp', active: true, price: '119.99' }
  const upstream = await startUpstream(t, (request, response) => {
    const bodies: Record<string, unknown> = {
      '/api/me': { id: 'A-1', name: 'Feedshop' },
      '/api/articles/27': article,
      '/api/articles?limit=2': { items: [article], next: 'p2' }
    }
    const body = bodies[request.url ?? '']
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(body ?? {}))
  })
  const context = createContext(t, `${upstream.baseUrl}/api`)
  const client = await adapter.connect(context)
  const products = adapter.capabilities.ProductMaster?.(client, context)

  const lamp = {
    externalId: '27',
    name: 'Lamp',
    isActive: true,
    variants: [{ externalId: '27', price: { amount: '119.99', currency: 'PLN' } }]
  }
  t.strictSame(await adapter.test?.(client, context), { message: 'the key is valid' })
  t.strictSame(await adapter.account?.(client, context), { id: 'A-1', name: 'Feedshop' })
  t.strictSame(await products?.getProduct('27'), lamp)
  t.strictSame(await products?.listProducts({ limit: 2 }), { items: [lamp], nextCursor: 'p2' })
  t.equal((await failureOf((products as ProductMaster).getProduct('no such'))).code, 'LNK_ADAPTER_NOT_FOUND')
  t.ok(upstream.requests.every(request => request.headers['x-api-key'] === 'feed-key'))
  for (const method of requiredMethods.ProductMaster) t.type(products?.[method], 'function')
})

t.test('an answer of unknown shape is a transient fault', async t => {
  const adapter = await importAdapter(t)
  const upstream = await startUpstream(t, (_request, response) => response.end('{"id":"27"}'))
  const context = createContext(t, upstream.baseUrl)
  const products = adapter.capabilities.ProductMaster?.(await adapter.connect(context), context) as ProductMaster

  t.equal((await failureOf(products.getProduct('27'))).code, 'LNK_ADAPTER_TRANSIENT')
})

t.test('every member of a context is in the table of the README', async t => {
  for (const name of Object.keys(createContext(t, 'https://feed.test'))) {
    t.match(readPage('README.md'), new RegExp(`^\\| .*\`${name}\`.* \\|`, 'm'), name)
  }
})
