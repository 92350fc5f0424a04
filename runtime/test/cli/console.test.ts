import t from 'tap'
import { makeLink } from '../../src/cli/console.ts'

type Hub = Parameters<typeof makeLink>[0]

const made = { code: 'the-code', expiresAt: '2026-01-31T10:10:00.000Z', path: '/console/#code=the-code' }

/** A hub that answers with these settings. */
function hubWith (system: object, asked: string[] = []): Hub {
  const answer = (value: unknown) => async (path: string) => {
    asked.push(path)
    return value
  }
  return { url: 'http://127.0.0.1:3000', get: answer(system), post: answer(made) } as Hub
}

t.test('the link has the public address of the hub, or else the one that the command uses', async t => {
  t.strictSame(await makeLink(hubWith({ console: true, publicUrl: null })), {
    address: 'http://127.0.0.1:3000/console/#code=the-code',
    expiresAt: made.expiresAt
  })
  t.match(await makeLink(hubWith({ console: true, publicUrl: 'https://hub.example/' })), {
    address: 'https://hub.example/console/#code=the-code'
  })
})

t.test('a hub without the console makes no code', async t => {
  for (const system of [{ console: false, publicUrl: null }, { publicUrl: null }]) {
    const asked: string[] = []
    await t.rejects(makeLink(hubWith(system, asked)), { message: /^the hub at http:.* LINKER_CONSOLE/ })
    t.strictSame(asked, ['/system'])
  }
})
