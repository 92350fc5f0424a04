import t, { type Test } from 'tap'
import sessionRoutes from '../../src/access/session-routes.ts'
import type { Tokens } from '../../src/access/tokens.ts'
import { buildHttpApp, token } from '../http/support.ts'

const person = '192.0.2.7'

/** Status and code of a sign-in. */
async function signIn (
  t: Test,
  { isProduction, publicUrl }: { isProduction: boolean, publicUrl?: string },
  remoteAddress: string
) {
  const { app } = await buildHttpApp(t, {
    async routes (scope) {
      const tokens: Pick<Tokens, 'beginSession'> = {
        beginSession: async () => ({ session: 'lnk_session', expiresAt: new Date(0) })
      }
      scope.decorate('tokens', tokens as Tokens)
      await scope.register(sessionRoutes, { isProduction, publicUrl })
    }
  })
  const answer = await app.inject({ method: 'POST', url: '/session', payload: { token }, remoteAddress })
  return [answer.statusCode, (answer.json() as { code?: string }).code]
}

t.test('in production, nobody signs in over plain http from another machine', async t => {
  t.strictSame(await signIn(t, { isProduction: true }, person), [403, 'LNK_SESSION_INSECURE'])
  for (const own of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
    t.strictSame(await signIn(t, { isProduction: true }, own), [201, undefined], own)
  }
  t.strictSame(await signIn(t, { isProduction: true, publicUrl: 'https://hub.example' }, person), [201, undefined])
  t.strictSame(await signIn(t, { isProduction: true, publicUrl: 'http://hub.example' }, person), [
    403,
    'LNK_SESSION_INSECURE'
  ])
  t.strictSame(await signIn(t, { isProduction: false }, person), [201, undefined])
})
