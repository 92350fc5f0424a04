import t from 'tap'
import { beginAuthorise } from '../support/authorise-command.ts'
import { openMarketplaceA } from '../support/marketplace-a.ts'
import { availableModes } from '../support/modes.ts'

interface AdapterView {
  platformType: string
  isolation: string
  authorisation: { path: string, schema: { properties: Record<string, object>, required: string[] } } | null
}

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: an operator authorises an account from the command line`, async t => {
    const isolation = mode === 'embedded' ? 'inline' : 'worker'
    const { hub, application, consent, comeBack } = await openMarketplaceA(t, {
      mode,
      config: {
        adapters: ['shopa', 'mkta', 'mktb'].map(platform => ({ use: `@linker/adapter-${platform}-v1`, isolation }))
      }
    })
    const { clientId, clientSecret, redirectUri } = application
    const form = ['--set', `clientId=${clientId}`, '--set', `redirectUri=${redirectUri}`, '--secret', 'clientSecret=-']
    const begin = (...args: string[]) => beginAuthorise(hub, [...args, ...form], `${clientSecret}\n`)

    const adapters = (await hub.call('GET', '/adapters')).json as AdapterView[]
    const view = (platform: string) => adapters.find(({ platformType }) => platformType === platform)
    t.match(view('mkta'), {
      isolation,
      authorisation: {
        path: '/integrations/mkta/oauth/connect',
        schema: {
          type: 'object',
          properties: { clientSecret: { type: 'string', secret: true }, redirectUri: { description: String } },
          required: ['clientId', 'clientSecret', 'redirectUri', 'environment', 'connectionName']
        }
      }
    })
    t.equal(view('mktb')?.authorisation, null)

    const first = await begin('mkta', '--name', 'Our account', '--set', 'environment=sandbox')
    const made = (await comeBack(await consent(first.authorizationUrl))).json as { connectionId: string }
    const created = await first.finish()
    t.match(created, { code: 0, stdout: `${first.authorizationUrl}\n${made.connectionId}  Our account\n` })
    t.match(created.stderr, /^Open this address in a browser/)

    // The environment comes from the config of the connection.
    const second = await begin('Our account')
    const renewed = await comeBack(await consent(second.authorizationUrl))
    t.match(renewed.json, { connectionId: made.connectionId })
    t.match(await second.finish(), {
      code: 0,
      stdout: `${second.authorizationUrl}\n${made.connectionId}  Our account\n`
    })

    const connections = (await hub.call('GET', '/connections?platformType=mkta')).json as { id: string }[]
    t.strictSame(connections.map(({ id }) => id), [made.connectionId])
    t.notOk(hub.log.some(line => line.includes(clientSecret)))
  })
}
