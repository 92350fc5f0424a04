import t from 'tap'
import { send } from '../support.ts'
import { application, openMktA } from './market.ts'

async function openPage (t: Parameters<typeof openMktA>[0], more: Record<string, string> = {}) {
  const opened = await openMktA(t)
  opened.market.consent.decision = 'ask'
  const { clientId, redirectUri } = application
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    state: '"><script>alert(1)</script>',
    ...more
  })
  const url = `${opened.market.web.url}/auth/oauth/authorize`
  const page = await send(`${url}?${query}`)

  /** Presses the button with this text, as a browser does. */
  async function press (label: string): Promise<{ status: number, target: URL }> {
    const unescaped = (text: string) =>
      text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
    const [, name = '', value = ''] =
      new RegExp(`<button type="submit" name="(\\w+)" value="(\\w+)">${label}</button>`).exec(page.text) ?? []
    const hidden = [...page.text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
      ([, field = '', text = '']) => [unescaped(field), unescaped(text)] as const
    )
    const body = String(new URLSearchParams({ ...Object.fromEntries(hidden), [name]: value }))
    const answer = await send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body
    })
    return { status: answer.status, target: new URL(String(answer.headers.location)) }
  }

  return { ...opened, url, page, press }
}

t.test('the page names the account and the application, and runs no script', async t => {
  const { page } = await openPage(t)

  t.match(page, {
    status: 200,
    headers: { 'content-type': /^text\/html/, 'content-security-policy': /default-src 'none'/ }
  })
  t.match(page.text, /<h1>Allow Linker to use your account\?<\/h1>/)
  t.match(page.text, /<strong>seller_login<\/strong>/)
  t.notMatch(page.text, /<script/)
})

t.test('Allow sends the browser back with a valid code for the requested scopes', async t => {
  const { press, token } = await openPage(t, { scope: 'mkta:api:profile:read' })

  const { status, target } = await press('Allow')

  t.equal(status, 303)
  t.ok(target.href.startsWith(application.redirectUri))
  t.equal(target.searchParams.get('state'), '"><script>alert(1)</script>')
  const { body } = await token({
    grant_type: 'authorization_code',
    code: target.searchParams.get('code') ?? '',
    redirect_uri: application.redirectUri
  })
  t.match(body, { token_type: 'bearer', scope: 'mkta:api:profile:read' })
})

t.test('Deny sends the browser back with access_denied', async t => {
  const { press } = await openPage(t)

  const { target } = await press('Deny')

  t.match(Object.fromEntries(target.searchParams), { error: 'access_denied', state: /script/, code: undefined })
})

t.test('a wrong request shows no page, and a form without a decision is refused', async t => {
  const { market, url, authorise } = await openPage(t)

  t.match(Object.fromEntries((await authorise({ scope: 'mkta:api:unknown' })).searchParams), { error: 'invalid_scope' })
  t.match(await send(`${url}?client_id=another`), { status: 400, headers: { location: undefined } })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  t.equal((await send(url, { method: 'POST', headers, body: 'client_id=the-client' })).status, 400)
  t.equal((await send(url, { method: 'POST', headers, body: 'client_id=another&decision=grant' })).status, 400)
  t.equal(market.web.requests.matching({ method: 'POST' }).length, 2)
})
