import { readFile } from 'node:fs/promises'
import t from 'tap'
import { resolveBaseUrl } from '../src/base-url.ts'

t.test('the settings in the README serve both environments and an override', async t => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const settings = JSON.parse(/```json\n(.+?)```/s.exec(readme)?.[1] ?? '') as {
    platforms: { mktb: Record<string, unknown> }
  }
  const { mktb } = settings.platforms

  t.equal(resolveBaseUrl({}, mktb), 'https://api.marketplace-b.example/svc/shop-api')
  t.equal(resolveBaseUrl({ environment: 'sandbox' }, mktb), 'https://api.sandbox.marketplace-b.example/svc/shop-api')
  t.equal(resolveBaseUrl({ baseUrl: 'https://next.marketplace-b.example' }, mktb), 'https://next.marketplace-b.example')
})
