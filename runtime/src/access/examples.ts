import { exampleIds } from '../http/description/example-ids.ts'
import type { Examples } from '../http/description/examples.ts'

const token = {
  id: exampleIds.token,
  name: 'dashboard',
  scope: 'read',
  createdAt: '2026-01-31T10:00:00.000Z',
  createdBy: '(own token)',
  expiresAt: '2026-05-01T00:00:00.000Z',
  lastUsedAt: null
}
const code = 'Zr4n0Wm7cYp2uXqLk9hVtB3sGdEaJf8oNiQ5yT1xRcM'
const text = 'lnk_ki2pBzkDin2X8lHfXIATDYJ15zP1flDg67qweLO_Hrg'

export const accessExamples: Examples = {
  bodies: {
    createToken: { name: 'dashboard', scope: 'read', expiresAt: '2026-05-01T00:00:00.000Z' },
    signIn: { token: text }
  },
  answers: {
    Token: token,
    Session: { name: 'dashboard', scope: 'read', expiresAt: '2026-01-31T22:00:00.000Z', isSession: true },
    createToken: { ...token, token: text },
    createSignInCode: { code, expiresAt: '2026-01-31T10:10:00.000Z', path: `/console/#code=${code}` }
  }
}
