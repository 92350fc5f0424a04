import { readFile } from 'node:fs/promises'
import t from 'tap'
import { resolveBaseUrl } from '../src/base-url.ts'
import type { Config } from '../src/config.ts'

/** Resolves a config with the defaults of its schema. */
const resolve = (config: Partial<Config>, settings: Readonly<Record<string, unknown>>): string =>
  resolveBaseUrl({ environment: 'production', ...config }, settings)

t.test('the settings in the README serve both environments and an override', async t => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const settings = JSON.parse(/```json\n(.+?)```/s.exec(readme)?.[1] ?? '') as {
    platforms: { mktb: Record<string, unknown> }
  }
  const { mktb } = settings.platforms

  t.equal(resolve({}, mktb), 'https://api.marketplace-b.example/svc/shop-api')
  t.equal(resolve({ environment: 'sandbox' }, mktb), 'https://api.sandbox.marketplace-b.example/svc/shop-api')
  t.equal(resolve({ baseUrl: 'https://next.marketplace-b.example' }, mktb), 'https://next.marketplace-b.example')
})
