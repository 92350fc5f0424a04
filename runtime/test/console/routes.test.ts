import t from 'tap'
import consoleRoutes from '../../src/console/routes.ts'
import { buildHttpApp } from '../http/support.ts'

t.test('the console is served to anybody, with a policy that lets nothing foreign in', async t => {
  const { app } = await buildHttpApp(t, { routes: scope => void scope.register(consoleRoutes) })
  const page = await app.inject('/console/')
  const [, main = ''] = /src="\/console\/(main-[^"]+)"/.exec(page.body) ?? []
  const [, style = ''] = /href="\/console\/(style-[^"]+)"/.exec(page.body) ?? []

  await t.test('the page is asked for each time, and carries no script of its own', async t => {
    t.equal(page.statusCode, 200)
    t.equal(page.headers['content-type'], 'text/html; charset=utf-8')
    t.equal(page.headers['cache-control'], 'no-cache')
    t.notMatch(page.body, /<script(?![^>]*src=)|style=|\son\w+=/)
    const policy = String(page.headers['content-security-policy']).split('; ')
    t.match(
      policy,
      new Set([
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'"
      ])
    )
    t.notMatch(policy.join(), /unsafe|https?:|data:|\*/)
  })

  await t.test('scripts and styles are kept for ever under names that hold their hash', async t => {
    for (const [name, type] of [[main, 'text/javascript'], [style, 'text/css']] as const) {
      const { statusCode, headers } = await app.inject(`/console/${name}`)
      t.equal(statusCode, 200)
      t.match(headers['content-type'], type)
      t.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
      t.equal(headers['x-content-type-options'], 'nosniff')
    }
  })

  await t.test('every other address is the page, because pages have addresses of their own', async t => {
    for (const path of ['/console/jobs/0198c3a1', '/console/adapters/shop-v1/1.0.0-rc.next', '/console/a/b.c']) {
      const answer = await app.inject(path)
      t.equal(answer.body, page.body, path)
    }
    t.equal((await app.inject('/console/main-OLD00000.js')).statusCode, 404, 'a file that is not there is no page')
  })

  await t.test('answers are compressed for those who take it', async t => {
    const asks = { 'gzip, br': 'gzip', 'br': undefined, 'gzip;q=0': undefined, '': undefined }
    for (const [accept, encoding] of Object.entries(asks)) {
      const { headers } = await app.inject({ url: `/console/${main}`, headers: { 'accept-encoding': accept } })
      t.equal(headers['content-encoding'], encoding, accept)
      t.equal(headers.vary, 'accept-encoding')
    }
  })

  await t.test('a browser that has the page gets 304', async t => {
    const etag = String(page.headers.etag)
    t.equal((await app.inject({ url: '/console/', headers: { 'if-none-match': etag } })).statusCode, 304)
    t.equal((await app.inject({ url: '/console/', headers: { 'if-none-match': '"other"' } })).statusCode, 200)
  })

  await t.test('a browser at the root is led to the console, a program gets what it always got', async t => {
    const browser = await app.inject({ url: '/', headers: { accept: 'text/html,*/*;q=0.8' } })
    t.match([browser.statusCode, browser.headers.location], [302, '/console/'])
    t.match((await app.inject('/console')).headers.location, '/console/')
    for (const accept of ['*/*', 'application/json']) {
      t.equal((await app.inject({ url: '/', headers: { accept } })).statusCode, 404, accept)
    }
  })
})
