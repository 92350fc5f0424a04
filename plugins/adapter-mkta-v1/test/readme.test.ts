import { readFile } from 'node:fs/promises'
import t from 'tap'
import { readRestSettings } from '../src/config.ts'

t.test('the settings in the README serve both environments', async t => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const settings = JSON.parse(/```json\n(.+?)```/s.exec(readme)?.[1] ?? '') as { platforms: { mkta: Record<string, unknown> } }
  const { mkta } = settings.platforms

  t.same(readRestSettings('production', mkta), { baseUrl: 'https://api.marketplace-a.example', mediaType: 'application/vnd.mkta.public.v1+json' })
  t.same(readRestSettings('sandbox', mkta), { baseUrl: 'https://api.sandbox.marketplace-a.example', mediaType: 'application/vnd.mkta.public.v1+json' })
})
