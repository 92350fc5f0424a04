import t from 'tap'
import { openConsole } from '../../support/console.ts'
import { buildTestHub } from '../../support/hub.ts'

interface Made {
  token: string
  id: string
}

t.test('a person signs in', async t => {
  const hub = await buildTestHub(t, { mode: 'embedded' })
  const make = async (scope: string): Promise<Made> => {
    const { json } = await hub.call('POST', '/tokens', { body: { name: `${scope} of a test`, scope } })
    return json as Made
  }
  const operator = await openConsole(t, { url: hub.url, token: hub.keys.admin })
  const { page, visit, inspect, complaints } = operator

  await t.test('moves by keys alone, and hears of every page', async t => {
    await page.keyboard.press('g')
    await page.keyboard.press('j')
    await page.waitForURL('**/console/jobs')
    // A screen reader reads the heading of the new page, because it has the focus.
    await page.locator('h1:focus').waitFor()
    await page.keyboard.press('/')
    t.equal(await page.evaluate('document.activeElement.id'), 'search')
    await page.keyboard.type('g s')
    t.match(page.url(), /\/jobs$/, 'keys are off while a person types')
    await page.keyboard.press('Escape')
    await page.locator('main').focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await inspect('the list of keys')
    await page.getByLabel('Single keys are on').uncheck()
    await page.keyboard.press('Escape')
    await page.locator('main').focus()
    await page.keyboard.press('?')
    t.equal(await page.getByRole('dialog', { name: 'Keys' }).isVisible(), false, 'a person may switch them off')
  })

  await t.test('chooses a theme that stays', async t => {
    await page.getByLabel('Theme').selectOption('dark')
    await visit('/console/system')
    t.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
    await page.getByLabel('Theme').selectOption('auto')
  })

  await t.test('signs out, and the next address asks for a sign-in in its place', async t => {
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Token').waitFor()
    await page.goto(`${hub.url}/`)
    await page.getByLabel('Token').waitFor()
    t.match(page.url(), /\/console\/$/, 'a browser at the root comes to the console')
    await inspect('the sign-in')
  })

  await t.test('reads why a token is refused', async t => {
    await page.getByLabel('Token').fill('no token of this hub')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('LNK_UNAUTHORIZED').waitFor()
    await inspect('a refused sign-in')
    t.match(complaints.splice(0), [/401/], 'the browser itself logs the refusal')
  })

  await t.test('uses a link once', async t => {
    const { token } = await make('read')
    const { json } = await hub.at(hub.url)('POST', '/session/codes', { headers: { authorization: `Bearer ${token}` } })
    const { path } = json as { path: string }
    await page.goto(hub.url + path)
    await page.getByText('read of a test · read').waitFor()
    t.notMatch(page.url(), 'code', 'the code leaves the address')
    t.equal(
      await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie]).includes("lnk_")'),
      false
    )

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Token').waitFor()
    await page.goto('about:blank')
    await page.goto(hub.url + path)
    await page.getByText('LNK_SIGN_IN_CODE_ENDED').waitFor()
    t.match(complaints.splice(0), [/401/])
  })

  await t.test('whose token is revoked meets the sign-in at the next question', async t => {
    const { token, id } = await make('operate')
    await page.getByLabel('Token').fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await hub.call('DELETE', `/tokens/${id}`)
    await page.keyboard.press('r')
    await page.getByLabel('Token').waitFor()
    t.ok(complaints.splice(0).length > 0)
  })
})
