import t from 'tap'
import { pageToOpen, redirectOf, redirectWarning, refusesReturn } from '../../console/rules/authorisation.ts'

const origin = 'https://hub.example'

t.test('the redirect address is the route of the adapter at the host of the page', async t => {
  const schema = {
    properties: { clientId: {}, redirectUri: {} },
    examples: [{ clientId: 'x', redirectUri: 'https://other.example/integrations/mkta/oauth/callback' }]
  }
  const routes = ['POST /integrations/mkta/oauth/connect', 'GET /integrations/mkta/oauth/callback']

  t.strictSame(redirectOf(schema, routes, origin), {
    member: 'redirectUri',
    address: 'https://hub.example/integrations/mkta/oauth/callback'
  })
  t.equal(redirectOf(schema, ['POST /integrations/mkta/oauth/callback'], origin), undefined)
  t.equal(redirectOf({ ...schema, properties: {} }, routes, origin), undefined)
  t.equal(redirectOf({ examples: [null, 'text'] }, routes, origin), undefined)
})

t.test('a redirect to another host is warned about', async t => {
  const here = { origin, publicUrl: origin }

  t.equal(redirectWarning(`${origin}/back`, here), undefined)
  t.equal(redirectWarning(`${origin}/back`, { origin, publicUrl: null }), undefined)
  t.equal(redirectWarning('not an address', here), undefined)
  t.match(redirectWarning('https://other.example/back', here), 'other.example')
  t.match(redirectWarning(`${origin}/back`, { origin, publicUrl: 'https://public.example' }), 'public.example')
})

t.test('a hub that has no way back is asked again without it', async t => {
  t.equal(refusesReturn([{ pointer: '/body/returnTo' }], 'returnTo'), true)
  t.equal(refusesReturn([{ pointer: '/clientId' }], 'returnTo'), false)
  t.equal(refusesReturn(undefined, 'returnTo'), false)
})

t.test('only a page on the web is opened', async t => {
  t.equal(pageToOpen({ authorizationUrl: 'https://mkta.example/authorize?a=b' }), 'https://mkta.example/authorize?a=b')
  t.equal(pageToOpen({ authorizationUrl: 'javascript:alert(1)' }), undefined)
  t.equal(pageToOpen({ authorizationUrl: 7 }), undefined)
  t.equal(pageToOpen(undefined), undefined)
})
