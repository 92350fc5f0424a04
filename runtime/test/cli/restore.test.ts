import t from 'tap'
import { describeRevived } from '../../src/cli/restore.ts'

t.test('secrets that work again come with the command that replaces them, and when not to run it', async t => {
  const secret = {
    id: '7c1f2e3d-4b5a-4c6d-8e7f-9a0b1c2d3e4f',
    connectionId: '0b5e8f7a-3f0c-4c3e-9d0a-5a1f7d6c2e11',
    connectionName: 'My shop',
    createdAt: '2026-01-01T00:00:00.000Z',
    installedAt: null,
    expiresAt: null
  }
  const [part = '', ...others] = describeRevived({ tokens: [], webhookSecrets: [secret] })
  const lines = part.split('\n')

  t.strictSame(others, [])
  t.match(lines[0], /`linker webhook install <connection>` replaces .*, which then end within a day:$/)
  t.match(lines[2], /^My shop +2026-01-01T00:00:00\.000Z +not known /)
  t.match(lines.at(-1), /^Replace none while another hub serves the platforms: /)
  t.strictSame(describeRevived({ tokens: [], webhookSecrets: [] }), [])
})
