import { randomUUID } from 'node:crypto'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { startHubProcess } from '../support/hub-process.ts'
import type { Job } from '../support/hub.ts'
import { openMarketplaceA, type MarketplaceA } from '../support/marketplace-a.ts'
import { availableModes, cheapestMode } from '../support/modes.ts'
import { problemOf } from '../support/problem.ts'

const jobs = 50

interface Connection {
  status: string
  statusReason: string | null
}

/** Counts the refreshes that the marketplace was asked for. */
function refreshesOf ({ market }: MarketplaceA): number {
  return market.web.requests.matching({ method: 'POST', path: /token$/ }).filter(({ body }) =>
    JSON.stringify(body).includes('refresh_token')
  ).length
}

/** Returns how often the marketplace was asked with each refresh token, by its own log. */
function asksOf ({ market }: MarketplaceA): number[] {
  const asked = market.tokenRequests.filter(({ type }) => type === 'refresh_token')
  return [...Map.groupBy(asked, ({ token }) => token).values()].map(({ length }) => length)
}

/** Starts jobs that each read a different order, and returns their ids. */
async function readOrders ({ hub, market }: MarketplaceA, connectionId: string, count: number): Promise<string[]> {
  const ids = Array.from(
    { length: count },
    () => market.placeOrder({ lines: [{ offerId: '7680001234', quantity: 1 }] })
  )
  return Promise.all(ids.map(async externalId => {
    const { status, text, json } = await hub.call('POST', '/jobs', {
      body: { jobType: 'marketplace.order.syncByExternalId', connectionId, payload: { externalId } }
    })
    if (status !== 202) throw new Error(text)
    return (json as { jobId: string }).jobId
  }))
}

async function endOf ({ hub }: MarketplaceA, ids: readonly string[]): Promise<Job[]> {
  return Promise.all(ids.map(id => hub.endOf(id)))
}

const modes = new Set([cheapestMode(process.env), ...availableModes(process.env).filter(mode => mode === 'full')])

for (const mode of modes) {
  const processes = mode === 'full' ? 'in two processes ' : ''
  t.test(`${mode}: ${jobs} jobs ${processes}with an ended token renew it once`, async t => {
    const place = await openMarketplaceA(t, { mode })
    const { hub, market, authorise, clock } = place
    const connectionId = await authorise({})
    const worker = mode === 'full'
      ? await startHubProcess(hub.directory, { ...hub.variables, LINKER_ROLE: 'worker', LOG_LEVEL: 'warn' })
      : undefined
    t.teardown(() => worker?.kill())

    // The marketplace ends the token before its time.
    clock.advance(13 * 3_600_000)
    const refused = await endOf(place, await readOrders(place, connectionId, jobs))
    t.strictSame(refused.filter(({ status }) => status !== 'succeeded').map(({ problem }) => problem), [])
    t.equal(refreshesOf(place), 1)

    // The hub knows from `expiresAt` that the token has ended.
    await hub.database()
      .query('update integration_credentials set version = version + 1, credentials_json = ' +
        "jsonb_set(credentials_json::jsonb, '{expiresAt}', to_jsonb(now()::text)) where platform_type = 'mkta'")
    const ended = await endOf(place, await readOrders(place, connectionId, jobs))
    t.strictSame(ended.filter(({ status }) => status !== 'succeeded').map(({ problem }) => problem), [])
    t.equal(refreshesOf(place), 2)

    t.equal(market.web.requests.entries.filter(({ status = 0 }) => status >= 400).length, 0, 'no refresh was refused')
    t.match((await hub.call('GET', `/connections/${connectionId}`)).json, { status: 'active' })
  })
}

for (const mode of modes) {
  const processes = mode === 'full' ? 'of two processes ' : ''
  t.test(`${mode}: later jobs ${processes}do not try a refused refresh token again`, async t => {
    const place = await openMarketplaceA(t, { mode })
    const { hub, market, authorise, clock } = place
    const connectionId = await authorise({})
    const worker = mode === 'full'
      ? await startHubProcess(hub.directory, { ...hub.variables, LINKER_ROLE: 'worker', LOG_LEVEL: 'warn' })
      : undefined
    t.teardown(() => worker?.kill())
    const stopped = async () =>
      eventually('the connection to be in error', async () => {
        const connection = (await hub.call('GET', `/connections/${connectionId}`)).json as Connection
        return connection.status === 'error' ? connection : undefined
      })

    market.revokeTokens()
    clock.advance(13 * 3_600_000)
    const waiting = await readOrders(place, connectionId, jobs)
    t.match(await stopped(), { statusReason: /invalid_grant.*re-authorise/ })
    // Enabling asks nobody, so the jobs begin again with the same token.
    for (let times = 0; times < 3; times += 1) {
      await hub.call('PATCH', `/connections/${connectionId}/disable`)
      await hub.call('PATCH', `/connections/${connectionId}/enable`)
      t.match(await stopped(), { statusReason: /invalid_grant.*re-authorise/ })
    }
    // The other process, or the same one after a restart, remembers nothing itself.
    await hub.restart({})
    await hub.call('PATCH', `/connections/${connectionId}/disable`)
    await hub.call('PATCH', `/connections/${connectionId}/enable`)
    await stopped()

    t.strictSame(asksOf(place), [1])
    // A job that has not begun yet knows no reason of its own.
    const told = await Promise.all(waiting.map(async id => (await hub.call('GET', `/jobs/${id}`)).json as Job))
    t.match(told.find(({ problem }) => problem !== null), { problem: { message: /invalid_grant.*re-authorise/ } })
    t.equal(await authorise({ connectionId }), connectionId)
    t.strictSame(
      (await endOf(place, waiting)).filter(({ status }) => status !== 'succeeded').map(({ problem }) => problem),
      [],
      'the jobs that waited go on'
    )
    t.strictSame(asksOf(place), [1])
  })
}

t.test('a token pair that never arrived leads to a new authorisation, not to a loop', async t => {
  const place = await openMarketplaceA(t, { mode: cheapestMode(process.env) })
  const { hub, market, authorise, clock } = place
  const connectionId = await authorise({})
  // A hub that is killed between the answer and the storing knows only the former pair, whose
  // refresh token is spent.
  market.web.faults.add({ path: /token$/, when: 'after', reset: true })
  clock.advance(13 * 3_600_000)
  const waiting = await readOrders(place, connectionId, 10)
  const stopped = await eventually('the connection to be in error', async () => {
    const connection = (await hub.call('GET', `/connections/${connectionId}`)).json as Connection
    return connection.status === 'error' ? connection : undefined
  })
  const live = await hub.call('GET', `/integrations/mkta/connections/${connectionId}/validate?live=true`)

  t.match(stopped.statusReason, /re-authorise/)
  t.strictSame(asksOf(place), [2], 'one whose answer was lost, and one that was refused')
  t.match(live.json, { valid: false, errors: [{ message: /re-authorise/ }], refreshAvailable: false })
  const { json: stored } = await hub.call('GET', `/integrations/mkta/connections/${connectionId}/validate`)
  t.strictSame(
    stored,
    {
      valid: false,
      errors: [{ code: 'LNK_CONNECTION_IN_ERROR', message: `The connection is in error: ${stopped.statusReason}` }],
      refreshAvailable: false
    },
    'without asking the marketplace'
  )

  t.equal(await authorise({ connectionId }), connectionId)
  t.match((await hub.call('GET', `/connections/${connectionId}`)).json, { status: 'active' })
  t.strictSame(
    (await endOf(place, waiting)).filter(({ status }) => status !== 'succeeded').map(({ problem }) => problem),
    [],
    'the jobs that waited go on'
  )
})

t.test('a late refusal of the former tokens leaves a connection alone that was authorised again', async t => {
  const place = await openMarketplaceA(t, { mode: cheapestMode(process.env) })
  const { hub, market, authorise, clock } = place
  const connectionId = await authorise({})
  const held = Promise.withResolvers<void>()
  const refusal = { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid refresh token' } }
  market.web.faults.add({ path: /token$/, until: held.promise, answer: refusal })
  clock.advance(13 * 3_600_000)
  const waiting = await readOrders(place, connectionId, 10)
  await eventually('the refresh to be under way', async () => refreshesOf(place) > 0 ? true : undefined)
  const testing = hub.call('POST', `/connections/${connectionId}/test`)

  t.equal(await authorise({ connectionId }), connectionId)
  held.resolve()

  t.strictSame(
    (await endOf(place, waiting)).filter(({ status }) => status !== 'succeeded').map(({ problem }) => problem),
    []
  )
  t.equal((await testing).status, 200)
  t.match((await hub.call('GET', `/connections/${connectionId}`)).json, { status: 'active', statusReason: null })
})

t.test('`validate` tells what keeps a connection from working', async t => {
  const place = await openMarketplaceA(t, { mode: cheapestMode(process.env), hasSecret: false })
  const { hub, market, authorise } = place
  const connectionId = await authorise({})
  const validate = async (id = connectionId, query = '') =>
    hub.call('GET', `/integrations/mkta/connections/${id}/validate${query}`)

  t.match(await validate(), { status: 200, json: { valid: true, errors: { length: 0 }, refreshAvailable: false } })
  t.match(await validate(connectionId, '?live=true'), { json: { valid: true } })
  t.match(await validate(randomUUID()), { status: 404, json: { detail: 'Connection not found' } })
  market.revokeTokens()
  t.match(await validate(connectionId, '?live=true'), {
    json: { valid: false, errors: [{ message: /refresh is not available/ }] }
  })
  await hub.database()
    .query('update integration_credentials set version = version + 1, credentials_json = ' +
      "jsonb_set(credentials_json::jsonb, '{expiresAt}', '\"2026-01-01T00:00:00.000Z\"') where platform_type = " +
      "'mkta'")
  t.match(await validate(), {
    json: { valid: false, errors: [{ code: 'TOKEN_EXPIRED', message: /2026-01-01.*Re-authorise/ }] }
  })
  await hub.database().query("delete from integration_credentials where platform_type = 'mkta'")
  t.match(await validate(), {
    status: 200,
    json: {
      valid: false,
      errors: [{ code: 'LNK_CREDENTIALS_NOT_FOUND', message: 'Credentials not found' }],
      refreshAvailable: false
    }
  })
  const { account } = place.market.consent
  place.market.consent.account = { ...account, id: `${account.id}2` }
  const consented = await place.consent(((await place.begin()).json as { authorizationUrl: string }).authorizationUrl)
  await hub.database().query('alter table integration_credentials rename to elsewhere')
  t.match(await validate(), {
    status: 200,
    json: { valid: false, errors: [{ message: 'Credential store not available' }] }
  })
  const created = await hub.call('POST', '/connections', {
    body: { name: 'Shop', platformType: 'mktb', credentials: { apiKey: 'key' } }
  })
  const credentials = { accessToken: 'a', refreshToken: 'r', expiresAt: '2030-01-01T00:00:00Z' }
  const replaced = await hub.call('PUT', `/connections/${connectionId}/credentials?test=false`, {
    body: { credentials }
  })
  const authorised = await place.comeBack(consented)
  for (const answer of [created, replaced, authorised]) {
    t.match(problemOf(answer), {
      status: 500,
      code: 'LNK_CREDENTIAL_STORE_NOT_AVAILABLE',
      detail: 'Credential store not available'
    })
  }
  await hub.database().query('alter table elsewhere rename to integration_credentials')
  const disabled = await authorise({})
  await hub.call('PATCH', `/connections/${disabled}`, { body: { status: 'disabled' } })
  t.match(await validate(disabled), { json: { valid: false, errors: [{ code: 'LNK_CONNECTION_DISABLED' }] } })
})

t.test('a token that the marketplace refuses is no token that can be renewed', async t => {
  const { hub, market, authorise } = await openMarketplaceA(t, { mode: cheapestMode(process.env) })
  const connectionId = await authorise({})
  const validate = (query = '') => hub.call('GET', `/integrations/mkta/connections/${connectionId}/validate${query}`)

  t.match(await validate('?live=true'), { json: { valid: true, refreshAvailable: true } })
  market.revokeTokens()
  t.match(await validate('?live=true'), {
    json: { valid: false, errors: [{ code: 'LNK_ADAPTER_AUTHENTICATION' }], refreshAvailable: false }
  })
})

t.test('the journals and commands of a paused connection can be read', async t => {
  const { hub, authorise } = await openMarketplaceA(t, { mode: cheapestMode(process.env) })
  const connectionId = await authorise({})
  await hub.call('POST', `/connections/${connectionId}/pause`, { body: { reason: 'stocktaking' } })
  const ask = (what: string) => hub.call('GET', `/integrations/mkta/connections/${connectionId}/${what}`)

  t.match(await ask('cursors'), { status: 200, json: { cursors: Array } })
  t.match(await ask('commands'), { status: 200, json: [] })
  t.match(await ask('validate'), { json: { valid: false, errors: [{ code: 'LNK_CONNECTION_PAUSED' }] } })
})

t.test('the hub tells what it knows of a connection without the settings of its platform', async t => {
  const { hub, authorise } = await openMarketplaceA(t, { mode: cheapestMode(process.env) })
  const connectionId = await authorise({})
  await hub.restart({ config: { platforms: {} } })
  const ask = (what: string) => hub.call('GET', `/integrations/mkta/connections/${connectionId}/${what}`)

  t.match(await ask('validate'), {
    status: 200,
    json: {
      valid: false,
      refreshAvailable: false,
      errors: [{ code: 'LNK_ADAPTER_CONFIGURATION', message: /platforms\.mkta.*is not set in linker\.config\.json/ }]
    }
  })
  t.match(await ask('validate?live=true'), { status: 200, json: { valid: false } })
  t.match(await ask('cursors'), { status: 200, json: { cursors: { length: 0 } } })
  t.match(await ask('commands'), { status: 200, json: { length: 0 } })
})

t.test('the error for a connection that cannot be stored has the words of the specification', async t => {
  const { hub, begin, consent, comeBack } = await openMarketplaceA(t, { mode: cheapestMode(process.env) })
  await hub.database().query("alter table connections add constraint no_doomed check (name <> 'Doomed')")
  const posted = await hub.call('POST', '/connections', {
    body: { name: 'Doomed', platformType: 'mktb', credentials: { apiKey: 'key' } }
  })
  const begun = await begin({ connectionName: 'Doomed' })
  const authorised = await comeBack(await consent((begun.json as { authorizationUrl: string }).authorizationUrl))

  for (const answer of [posted, authorised]) {
    t.match(problemOf(answer), {
      status: 500,
      code: 'LNK_CONNECTION_CREATION_FAILED',
      detail: 'Connection creation failed'
    })
  }
  t.strictSame((await hub.call('GET', '/connections')).json, [])
  t.strictSame(await hub.database().query('select ref from integration_credentials'), [])
})
