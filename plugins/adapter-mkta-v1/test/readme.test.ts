import { AdapterErrorCode } from '@linker/sdk'
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { resolveEnvironment } from '../src/config.ts'

t.test('the settings in the README serve both environments', async t => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const settings = JSON.parse(/```json\n(.+?)```/s.exec(readme)?.[1] ?? '') as {
    platforms: { mkta: Record<string, unknown> }
  }
  const { mkta } = settings.platforms

  t.match(resolveEnvironment('production', mkta), {
    webBaseUrl: 'https://marketplace-a.example',
    restBaseUrl: 'https://api.marketplace-a.example',
    mediaType: 'application/vnd.mkta.public.v1+json'
  })
  t.match(resolveEnvironment('sandbox', mkta), {
    webBaseUrl: 'https://sandbox.marketplace-a.example',
    restBaseUrl: 'https://api.sandbox.marketplace-a.example'
  })
  t.equal(resolveEnvironment('production', mkta).clients.get('client-id-of-the-application'), 'its-client-secret')
})

t.test('the README lists the codes that `validate` answers', async t => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const source = await readFile(new URL('../src/oauth/validate.ts', import.meta.url), 'utf8')
  const [, chapter = ''] = /## Is the connection valid\?\n(.+?)\n## /s.exec(readme) ?? []
  const own = [...source.matchAll(/'([A-Z]+_[A-Z_]+)'/g)].map(([, code = '']) => code)

  t.ok(own.includes('TOKEN_EXPIRED'))
  t.strictSame([...own, ...Object.values(AdapterErrorCode)].filter(code => !chapter.includes(`\`${code}\``)), [])
})
