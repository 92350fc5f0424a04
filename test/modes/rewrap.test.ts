import t from 'tap'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub } from '../support/hub.ts'
import { availableModes, cheapestMode } from '../support/modes.ts'
import { problemOf } from '../support/problem.ts'

const keyOf = (id: string, fill: number): string => `${id}:${Buffer.alloc(32, fill).toString('base64')}`
const [k1, k2] = [keyOf('k1', 1), keyOf('k2', 2)]

const flow = `
  insert into flows (state_hash, platform_type, data, encrypted, expires_at)
  values ('hash', 'probe', $1, true, now() + interval '1 hour')`

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: stored secrets move to the newest key while the hub runs`, async t => {
    const hub = await buildTestHub(t, { mode, variables: { LINKER_CREDENTIALS_KEY: k1 } })
    const shopId = await hub.connect('shopa', { config: { callbackBaseUrl: hub.url } })
    const marketId = await hub.connect('mktb')
    await hub.call('POST', `/connections/${shopId}/webhooks/install`)
    const rewrap = (dryRun = false) => hub.call('POST', '/credentials/rewrap', { body: { dryRun } })
    const keys = async (): Promise<string[]> =>
      ((await hub.call('GET', '/system')).json as { credentialKeys: string[] }).credentialKeys
    t.strictSame(await keys(), ['k1'])
    t.match((await rewrap()).json, { rewrapped: [{ count: 0 }, { count: 0 }, { count: 0 }] })

    await hub.restart({ variables: { LINKER_CREDENTIALS_KEY: `${k2},${k1}` } })
    const { query } = hub.database()
    const [{ json } = {}] = await query<
      { json: object }
    >('select credentials_json as json from integration_credentials limit 1')
    await query(flow, [JSON.stringify(json)])
    const versions = 'select ref, version from integration_credentials order by ref'
    const before = await query(versions)

    const planned = (await rewrap(true)).json
    t.strictSame(await keys(), ['k1'], 'a dry run changes nothing')
    if (mode === cheapestMode(process.env)) {
      const args = ['credentials', 'rewrap', '--dry-run', '--url', hub.url, '--token', hub.keys.admin]
      const { code, stdout } = await runLinker(args, hub.directory)
      t.equal(code, 1, 'no key opens one of them')
      t.match(stdout, /^these would be encrypted with key 'k2':\nWHAT [^]*\ncredentials +2 +0\n/)
      t.match(stdout, /\nno key opens these; [^]*\nauthorisations under way +hash +k1 +\S.*cannot decrypt/)
    }
    const done = (await rewrap()).json
    const counts = [
      { what: 'credentials', count: 2, unencrypted: 0 },
      { what: 'authorisations under way', count: 0 },
      { what: 'webhook secrets', count: 1, unencrypted: 0 }
    ]
    // The envelope in the flow is bound to another row.
    const failed = [{ what: 'authorisations under way', id: 'hash', keyId: 'k1', message: /cannot decrypt/ }]
    t.match(planned, { dryRun: true, keyId: 'k2', rewrapped: counts, failed, unusedKeyIds: { length: 0 } })
    t.match(done, { dryRun: false, keyId: 'k2', rewrapped: counts, failed, unusedKeyIds: { length: 0 } })
    t.strictSame(await query(versions), before, 'the credentials are the same')
    t.strictSame(await keys(), ['k1', 'k2'])
    await query("delete from flows where state_hash = 'hash'")
    t.match((await rewrap()).json, { rewrapped: [{ count: 0 }, { count: 0 }, { count: 0 }], unusedKeyIds: ['k1'] })
    t.match((await hub.call('GET', '/audit?action=credentials.rewrap')).json, { length: 3 })

    await hub.restart({ variables: { LINKER_CREDENTIALS_KEY: k2 } })
    for (const id of [shopId, marketId]) {
      t.match((await hub.call('POST', `/connections/${id}/test`)).json, { success: true })
    }
    const findings = (await hub.call('GET', `/connections/${shopId}/diagnostics`)).text
    t.notMatch(findings, 'unreadable')
    t.match(problemOf(await hub.call('POST', '/credentials/rewrap', { body: { dryrun: true } })), { status: 400 })

    // Secrets that were stored without a key get one.
    await hub.restart({ variables: { LINKER_CREDENTIALS_KEY: '' } })
    t.match(problemOf(await rewrap()), { status: 409, code: 'LNK_CREDENTIALS_KEY_MISSING' })
    await hub.database().query('delete from webhook_secrets')
    await hub.call('PUT', `/connections/${marketId}/credentials?test=false`, { body: { credentials: hub.keys.market } })
    await hub.restart({ variables: { LINKER_CREDENTIALS_KEY: k2 } })
    t.match((await rewrap()).json, { rewrapped: [{ count: 1, unencrypted: 1 }, { count: 0 }, { count: 0 }] })
    t.match((await hub.call('POST', `/connections/${marketId}/test`)).json, { success: true })
  })
}
