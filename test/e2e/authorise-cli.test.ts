import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { beginAuthorise } from '../support/authorise-command.ts'
import { refused } from '../support/command.ts'
import { runLinker } from '../support/hub-process.ts'
import { openMarketplaceA } from '../support/marketplace-a.ts'
import { cheapestMode } from '../support/modes.ts'

t.test('linker connections authorise', async t => {
  const { hub, market, application, begin, authorise, consent, comeBack } = await openMarketplaceA(t, {
    mode: cheapestMode(process.env)
  })
  const { clientId, clientSecret, redirectUri } = application
  const file = join(t.testdir({}), 'secret')
  await writeFile(file, `${clientSecret}\n`)
  const linker = (...args: string[]) =>
    runLinker(['connections', 'authorise', ...args, '--url', hub.url, '--token', hub.keys.admin], hub.directory)
  const values = [`clientId=${clientId}`, `redirectUri=${redirectUri}`, 'environment=sandbox']
  const form = [...values.flatMap(value => ['--set', value]), '--secret', `clientSecret=${file}`]
  /** Each account has at most one connection. */
  const signInAs = (id: string): void => {
    market.consent.account = { ...market.consent.account, id, login: `seller_${id}` }
  }
  const flows = async (): Promise<number> => {
    const [row] = await hub.database().query<{ count: number }>('select count(*)::integer as count from flows')
    return row?.count ?? 0
  }

  t.test('a mistake is named before anything is sent', async t => {
    const missing = await linker('mkta', '--name', 'New')
    const repeated = await linker('mkta', '--name', 'New', ...form, '--set', 'environment=production')
    const unknown = await linker('mkta', '--name', 'New', ...form, '--set', 'colour=red')
    const exposed = await linker('mkta', '--name', 'New', '--set', `clientSecret=${clientSecret}`)
    const malformed = await linker('mkta', '--name', 'New', '--secret', 'clientSecret=-', '--set', 'clientId')

    refused(
      t,
      missing,
      /the form lacks members; add:\n {2}--set clientId=<value> .*\n {2}--secret clientSecret=<file> .*\|production/s
    )
    refused(t, unknown, /the form has no member 'colour' to set; it has:\n.*--set environment=sandbox\|production/s)
    refused(t, exposed, /'clientSecret' is a secret, .*--secret clientSecret=<file>/)
    t.notMatch(exposed.stderr, clientSecret)
    refused(t, repeated, /'environment' is given twice/)
    refused(t, malformed, /It must be member=value/)
    t.equal(await flows(), 0)
  })

  t.test('an account that cannot be authorised so is named', async t => {
    refused(
      t,
      await linker('mktb', '--name', 'New'),
      /mktb is not authorised in a browser.*with an authorisation: mkta/
    )
    refused(t, await linker('nowhere', '--name', 'New'), /no adapter serves the platform 'nowhere'; .*: mkta\n$/)
    refused(
      t,
      await linker('mkta', ...form),
      /no connection is called 'mkta'.*\n {2}for a new connection .* add --name/s
    )
    refused(t, await linker('Nobody', ...form), /no connection is called 'Nobody'; existing names: none\n$/)
  })

  t.test('the refusals of the adapter are shown', async t => {
    const wrong = form.map(value => value.replace(redirectUri, 'http://hub.example/back'))

    refused(
      t,
      await linker('mkta', '--name', 'New', ...wrong),
      /400 LNK_ADAPTER_REJECTED.*\/redirectUri: must be https/s
    )
  })

  t.test('--no-wait prints the address only, and the authorisation goes on without the command', async t => {
    const { code, stdout } = await linker('mkta', '--name', 'Alone', ...form, '--no-wait', '--json')
    const { authorizationUrl, connection } = JSON.parse(stdout) as { authorizationUrl: string, connection: null }

    t.equal(code, 0)
    t.equal(connection, null)
    t.ok(authorizationUrl.startsWith(`${market.web.url}/auth/oauth/authorize?`))
    t.match((await comeBack(await consent(authorizationUrl))).json, { connectionName: 'Alone' })
  })

  t.test('the end of another authorisation is not taken for this one', async t => {
    signInAs('1')
    const former = await authorise({ connectionName: 'First' })
    await hub.call('PATCH', `/connections/${former}/disable`)
    t.match(await hub.call('DELETE', `/connections/${former}`), { status: 200 })
    signInAs('2')
    const other = await authorise({ connectionName: 'Other' })
    const waiting = await beginAuthorise(hub, ['mkta', '--name', 'First', ...form], '')
    await hub.call('POST', '/connections', {
      body: {
        name: 'First',
        platformType: 'mkta',
        config: { environment: 'sandbox' },
        credentials: {
          accessToken: 'a-token-of-nobody',
          refreshToken: 'another-token-of-nobody',
          expiresAt: '2100-01-01T00:00:00.000Z'
        }
      }
    })
    await authorise({ connectionId: other })
    signInAs('3')
    await authorise({ connectionName: 'Second' })
    signInAs('4')
    const made = (await comeBack(await consent(waiting.authorizationUrl))).json as { connectionId: string }

    t.match(await waiting.finish(), { code: 0, stdout: new RegExp(`\\n${made.connectionId} {2}First\\n$`) })
  })

  t.test('without an end in time the command says so and ends with 2', async t => {
    const late = await linker('mkta', '--name', 'Late', ...form, '--timeout', '1', '--json')

    t.equal(late.code, 2)
    t.equal(late.stdout, '')
    t.match(late.stderr, /^http.*\nOpen this address.*\nlinker: the authorisation did not end within 1 seconds/)
    t.notMatch(late.stderr, clientSecret)
  })

  t.test('an account that another connection opens is refused, and so is another account than before', async t => {
    signInAs('6')
    const id = await authorise({ connectionName: 'Sixth' })
    const end = async (more: object) => {
      const begun = await begin(more)
      return comeBack(await consent((begun.json as { authorizationUrl: string }).authorizationUrl))
    }

    const same = await end({ connectionName: 'Sixth again' })
    t.match(same, { status: 409, json: { code: 'LNK_ACCOUNT_CONNECTED' } })
    t.match(same.text, `Connection 'Sixth' (${id}) opens this account already`)
    signInAs('7')
    const other = await end({ connectionId: id })
    t.match(other, { status: 409, json: { code: 'LNK_ACCOUNT_DIFFERS' } })
    t.match(other.text, /the account 'seller_7', but connection 'Sixth' belongs to the account 'seller_6'/)
  })

  t.test('the end tells of a deleted connection to the account, and the take-over moves its rows', async t => {
    signInAs('8')
    const former = await authorise({ connectionName: 'Eighth' })
    await hub.call('PATCH', `/connections/${former}/disable`)
    await hub.call('DELETE', `/connections/${former}`)
    const waiting = await beginAuthorise(hub, ['mkta', '--name', 'Heir', ...form], '')
    await comeBack(await consent(waiting.authorizationUrl))
    const { code, stderr } = await waiting.finish()

    t.equal(code, 0)
    t.match(stderr, /the deleted connection 'Eighth' \(deleted at 20\S+Z\) opened the same account; /)
    const [, line = ''] = /`linker connections (take-over .*?)`/.exec(stderr) ?? []
    t.equal(line, `take-over Heir ${former}`)
    const taken = await runLinker(
      ['connections', ...line.split(' '), '--url', hub.url, '--token', hub.keys.admin],
      hub.directory
    )
    t.match(taken, { code: 0, stdout: /^WHAT +TAKEN OVER\norders +0\nlinks of offers +0\ncursors +0\n$/ })
  })

  t.test('--json prints the address and the connection', async t => {
    signInAs('5')
    const id = await authorise({ connectionName: 'Again' })
    const waiting = await beginAuthorise(hub, [id, ...form, '--json'], '')
    await comeBack(await consent(waiting.authorizationUrl))
    const { code, stdout } = await waiting.finish()

    t.equal(code, 0)
    t.match(JSON.parse(stdout), {
      authorizationUrl: waiting.authorizationUrl,
      connection: { id, name: 'Again', status: 'active' }
    })
  })
})
