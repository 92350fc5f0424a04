import { conformanceChecks, runConformance, type CheckResult } from '@linker/sdk/testing'
import t, { type Test } from 'tap'
import { limits } from './find-faults.ts'
import { goodAdapter, writeAdapter, type AdapterPackage } from './good-adapter.ts'
import { judgedBy } from './spoil.ts'

async function install (t: Test, content: AdapterPackage, extra?: Readonly<Record<string, string>>): Promise<string> {
  const { directory, remove } = await writeAdapter(content, extra)
  t.teardown(remove)
  return directory
}

t.test('a good adapter passes every check that needs no recording', async t => {
  const report = await runConformance(await install(t, goodAdapter()), { limits })

  t.ok(report.isPassed)
  t.strictSame(
    report.checks.filter(({ level, status }) => level < 3 && status !== 'passed').map(({ id, findings, reason }) => ({
      id,
      findings,
      reason
    })),
    []
  )
  t.match(report, { name: '@acme/adapter-good-v1', version: '1.0.0' })
  t.strictSame(report.checks.map(({ id }) => id), conformanceChecks.map(({ id }) => id))
})

t.test('a function that judges deliveries passes when it knows the genuine ones', async t => {
  const isGenuine = `({ rawBody, headers, secrets }) => {
    const { createHmac } = process.getBuiltinModule('node:crypto')
    return secrets.some(secret =>
      createHmac('sha256', secret).update(rawBody).digest('base64') === headers['x-good-signature'])
  }`
  const directory = await install(t, judgedBy(isGenuine)(goodAdapter()))

  t.match((await runConformance(directory, { only: ['L1-SHP-09'] })).checks, [{ status: 'passed', findings: [] }])
})

const withoutKeyword = (exemptions: object[]): AdapterPackage => {
  const good = goodAdapter()
  return { ...good, packageJson: { ...good.packageJson, keywords: [] }, settings: { ...good.settings, exemptions } }
}

t.test('an exempt check runs, is shown with its reason and does not fail the package', async t => {
  const directory = await install(t, withoutKeyword([{ check: 'L1-MAN-02', reason: 'it is not to be found yet' }]))
  const { isPassed, checks } = await runConformance(directory, { only: ['L1-MAN-02', 'L1-MAN-08'] })

  t.ok(isPassed)
  t.match(checks, [
    { status: 'exempt', reason: 'it is not to be found yet', findings: [{ message: /linker-adapter/ }] },
    { status: 'passed' }
  ])
})

t.test('an exemption that is not needed fails its check', async t => {
  const good = goodAdapter()
  const directory = await install(t, {
    ...good,
    settings: { ...good.settings, exemptions: [{ check: 'L1-MAN-02', reason: 'there was no keyword once' }] }
  })

  t.match((await runConformance(directory, { only: ['L1-MAN-02'] })).checks, [{
    status: 'failed',
    findings: [{ message: /not needed any more/ }]
  }])
})

t.test('an exemption for one call leaves the findings about others', async t => {
  const good = goodAdapter()
  const refusing = good.source.replaceAll(
    /return readProduct\(|const \{ items, next \} =/g,
    found => `throw new TransientError('not today')\n${found}`
  )
  const exemptions = [{
    check: 'L2-ERR-01',
    target: 'ProductMaster.getProduct',
    reason: 'it comes with the next version'
  }]
  const directory = await install(t, { ...good, source: refusing, settings: { ...good.settings, exemptions } })
  const { checks: [result] } = await runConformance(directory, { only: ['L2-ERR-01'], limits })

  t.equal(result?.status, 'failed')
  t.strictSame(result?.findings.map(({ target }) => target), ['ProductMaster.listProducts', 'good.product.refresh'])
})

t.test('a check that does not apply to an adapter is skipped with the reason', async t => {
  const good = goodAdapter()
  const { linker } = good.packageJson
  const source = `import { defineAdapter } from '@linker/sdk'
export default defineAdapter({
  config: { type: 'object' },
  credentials: { type: 'null' },
  connect: () => ({}),
  capabilities: {}
})`
  const idle = await install(t, {
    packageJson: { ...good.packageJson, linker: { ...linker as object, capabilities: [] } },
    settings: {},
    source
  })
  const { isPassed, checks } = await runConformance(idle, { limits })

  t.notOk(isPassed, 'a run that called nothing has proved nothing')
  t.match(checks.filter(({ status }) => status === 'failed'), [{ id: 'L1-SHP-13' }, {
    id: 'L1-RUN-08',
    findings: [{ message: /no capability with a method, no job, no connection test and no account/ }]
  }])
  t.ok(checks.filter(({ level }) => level === 2).every(({ status, reason }) =>
    status === 'skipped' && reason === 'it has nothing that can be called'
  ))

  const broken = await install(t, { ...good, source: "throw new Error('no')" })
  t.match((await runConformance(broken, { only: ['L1-IMP-01', 'L1-IMP-02', 'L2-SEC-01'], limits })).checks, [
    { status: 'failed' },
    { status: 'skipped', reason: 'its import failed' },
    { status: 'skipped' }
  ])
})

const list = 'const { items, next } ='
const product = 'async getProduct (externalId) {'
const fatal: { how: string, from: string, to: string, target: string, message: RegExp }[] = [
  {
    how: 'loops at once',
    from: product,
    to: `${product} for (;;) {}`,
    target: 'ProductMaster.getProduct',
    message: /^it blocked its thread for 3000 ms$/
  },
  {
    how: 'loops on a page of HTML',
    from: list,
    to: `const loop = error => { for (; /JSON/.test(error.message);) {} }
await client.json({ method: 'GET', path: 'products' }).catch(loop)
${list}`,
    target: 'ProductMaster.listProducts',
    message: /^it blocked its thread/
  },
  {
    how: 'ends the process',
    from: product,
    to: `${product} process.exit(3);`,
    target: 'ProductMaster.getProduct',
    message: /^it ended its thread with code 3$/
  },
  {
    how: 'ends the process while it connects',
    from: 'connect: context => ',
    to: 'connect: context => process.exit(4) ?? ',
    target: 'connect',
    message: /^it ended its thread with code 4$/
  }
]

for (const { how, from, to, target, message } of fatal) {
  t.test(`a call that ${how} is named, and nothing else is blamed`, async t => {
    const good = goodAdapter()
    t.ok(good.source.includes(from))
    const { checks } = await runConformance(await install(t, { ...good, source: good.source.replace(from, to) }), {
      limits: { ...limits, settleMs: 500 }
    })

    t.match(checks.filter(({ status }) => status === 'failed'), [{ id: 'L1-RUN-06', findings: [{ target, message }] }])
    t.equal(checks.filter(({ status }) => status === 'failed').length, 1)
    t.match(checks.find(({ id }) => id === 'L1-RUN-04'), { status: 'passed' })
    t.ok(checks.filter(({ level }) => level === 2).every(({ status, reason = '' }) =>
      status === 'skipped' && reason.includes(`${target}: it `)
    ))
  })
}

t.test('a start that ends the process is named, and the suite makes no calls', async t => {
  const good = goodAdapter()
  const spoil = (member: string): AdapterPackage => ({
    ...good,
    source: good.source.replace('routes: [authorised', `${member}, routes: [authorised`)
  })
  const results = async (member: string) =>
    (await runConformance(await install(t, spoil(member)), { only: ['L1-RUN-04', 'L1-RUN-06'], limits })).checks

  t.match(await results('init: () => process.exit(5)'), [{
    status: 'failed',
    findings: [{ target: 'init', message: /code 5$/ }]
  }, { status: 'skipped', reason: /start: init: it ended/ }])
  t.match(await results('checkConfig: () => process.exit(7), init () {}'), [{
    status: 'failed',
    findings: [{ target: 'checkConfig', message: /code 7$/ }]
  }, { status: 'skipped' }])
  t.match(await results('normalizeCredentials: () => process.exit(6), init () {}'), [{
    status: 'failed',
    findings: [{ target: 'normalizeCredentials', message: /code 6$/ }]
  }, { status: 'skipped' }])
})

t.test('arguments of the package replace those of the suite, and make calls of third parties possible', async t => {
  const good = goodAdapter()
  const source = good.source
    .replace(
      'async getProduct (externalId) {',
      "async getProduct (externalId) { if (externalId !== 'P-7') throw new TransientError('no such id');"
    )
    .replace(
      'OrderSource: createOrderSource }',
      `OrderSource: createOrderSource,
  'acme/Weather': client => ({ forecast: place => client.json({ method: 'GET', path: place }) })
}`
    )
  const capabilities = {
    ...good.packageJson.linker as object,
    capabilities: ['ProductMaster', 'OrderSource', 'acme/Weather']
  }
  const given = {
    'ProductMaster.getProduct': ['P-7'],
    'good.product.refresh': [{ externalId: 'P-7' }],
    'acme/Weather.forecast': ['gdansk']
  }
  const directory = await install(t, {
    source,
    packageJson: { ...good.packageJson, linker: capabilities },
    settings: { ...good.settings, arguments: given }
  })

  t.match((await runConformance(directory, { only: ['L2-ERR-01', 'L2-ERR-09'], limits })).checks, [
    { status: 'passed' },
    { status: 'passed' }
  ])
})

const failed = ({ status }: CheckResult): boolean => status === 'failed'
const levelTwo = ({ level }: CheckResult): boolean => level === 2

t.test('an unreadable file is named once, and checks that need it are skipped', async t => {
  const good = goodAdapter()
  const { checks } = await runConformance(await install(t, { ...good, settings: { ...good.settings, argument: {} } }), {
    limits
  })

  t.match(checks.filter(failed), [{ id: 'L1-MAN-08', findings: [{ message: /argument is not a known member/ }] }])
  t.equal(checks.filter(failed).length, 1)
  const needy = checks.filter(check =>
    levelTwo(check) || ['L1-SHP-06', 'L1-SHP-07', 'L1-RUN-04', 'L1-RUN-06'].includes(check.id)
  )
  for (const { id, status, reason } of needy) {
    t.strictSame(
      { status, reason },
      { status: 'skipped', reason: 'linker.conformance.json is invalid: see L1-MAN-08' },
      id
    )
  }
})

t.test('the suite calls nothing with a config that the adapter refuses', async t => {
  const good = goodAdapter()
  const { checks } = await runConformance(
    await install(t, { ...good, settings: { ...good.settings, config: { baseUrl: 'ftp://{origin}' } } }),
    { limits }
  )

  t.strictSame(checks.filter(failed).map(({ id }) => id), ['L1-SHP-06'])
  for (const { id, status, reason } of checks.filter(levelTwo)) {
    t.match({ status, reason }, { status: 'skipped', reason: /refuse .*linker\.conformance\.json: see L1-SHP-06/ }, id)
  }
})

t.test('a check that saw no request is skipped, and one that saw some names the calls without one', async t => {
  const good = goodAdapter()
  const seeing = ['L2-ERR-01', 'L2-ERR-03', 'L2-ERR-19', 'L2-ABT-01', 'L2-ABT-02', 'L2-PRM-02']
  const results = async (source: string) =>
    (await runConformance(await install(t, { ...good, source }), { only: seeing, limits })).checks
  const [deaf, ...unseen] =
    await results(good.source.replace(/connect: .*/, "connect: () => { throw new TransientError('not today') },"))
  const [half, ...seen] = await results(good.source.replace(
    'async getProduct (externalId) {',
    "async getProduct (externalId) { throw new TransientError('not today');"
  ))

  t.equal(deaf?.status, 'failed')
  for (const { id, status, reason } of unseen) {
    t.strictSame({ status, reason }, { status: 'skipped', reason: 'no call sent a request' }, id)
  }
  t.equal(half?.status, 'failed')
  for (const { id, status, reason } of seen) {
    t.strictSame({ status, reason }, {
      status: 'passed',
      reason: 'the suite saw no request of ProductMaster.getProduct, good.product.refresh'
    }, id)
  }
})

t.test('the suite names arguments without a call, and a payload that the adapter refuses', async t => {
  const good = goodAdapter()
  const given = { 'ProductMaster.getProdukt': ['1'], test: [], 'good.product.refresh': [{ externalId: '' }] }
  const { checks } = await runConformance(
    await install(t, { ...good, settings: { ...good.settings, arguments: given } }),
    { only: ['L1-MAN-08', 'L2-ERR-01'], limits }
  )

  t.match(checks, [
    {
      status: 'failed',
      findings: [{ message: /arguments\/ProductMaster\.getProdukt is not a call/ }, {
        message: /arguments\/test is not a call/
      }]
    },
    {
      status: 'failed',
      findings: [{
        target: 'good.product.refresh',
        message: /^linker\.conformance\.json\/arguments\/good\.product\.refresh\/0\/externalId /
      }]
    }
  ])
})

t.test('a finding that quotes a secret does not show it', async t => {
  const good = goodAdapter()
  const source = good.source.replace(
    "throw new TransientError('the platform answered in an unknown form')",
    'throw new TypeError(JSON.stringify(answer))'
  ).replace(
    "read(await client.json({ method: 'GET', path: 'me' }), 'name')",
    "throw new TypeError('good-api-key-0123456789-abcdef')"
  )
  const report = await runConformance(await install(t, { ...good, source }), { only: ['L2-ERR-01'], limits })

  t.notOk(report.isPassed)
  t.notMatch(JSON.stringify(report), /good-api-key/)
})

t.test('a package that is not built gets a complete report, which says what to do', async t => {
  const good = goodAdapter()
  const unbuilt = {
    exports: { types: './dist/index.d.ts', default: './dist/index.js' },
    files: ['dist', 'linker.conformance.json'],
    scripts: { build: 'tsc' }
  }
  const report = await runConformance(await install(t, { ...good, packageJson: { ...good.packageJson, ...unbuilt } }), {
    limits
  })

  t.notOk(report.isPassed)
  t.equal(report.checks.length, conformanceChecks.length)
  t.match(report.checks.filter(failed), [{
    id: 'L1-MAN-05',
    findings: [{ message: /^dist\/index\.js / }]
  }])
  const others = report.checks.filter(({ id }) => !id.startsWith('L1-MAN'))
  t.ok(others.length > 30)
  for (const { id, status, reason } of others) {
    t.match({ status, reason }, { status: 'skipped', reason: 'L1-MAN-05' }, id)
  }
})

t.test('a TypeScript entry is a fault although it runs here: Node cannot import it from node_modules', async t => {
  const good = goodAdapter()
  const typed = {
    exports: { default: './index.ts', 'custom-source': './src/index.ts', types: './index.d.ts' },
    files: ['index.ts', 'linker.conformance.json']
  }
  const directory = await install(t, { ...good, packageJson: { ...good.packageJson, ...typed } }, {
    'index.ts': good.source
  })
  const { checks } = await runConformance(directory, { only: ['L1-MAN-05', 'L1-IMP-01'], limits })

  t.match(checks, [{
    status: 'failed',
    findings: [{ message: /^it leads to index\.ts: Node runs no TypeScript in node_modules/ }]
  }, { status: 'passed' }])
  t.equal(checks[0]?.findings.length, 1)
})

/**
 * Gives the adapter the credentials of an authorisation; it asks the platform for a new token when
 * the token has expired.
 */
const authorised = (good: AdapterPackage, expiresAt: string): AdapterPackage => ({
  ...good,
  settings: {
    ...good.settings,
    credentials: {
      accessToken: 'access-token-0123456789-abcdef',
      refreshToken: 'refresh-token-0123456789-abcdef',
      expiresAt
    }
  },
  source: good.source
    .replace(
      "properties: { apiKey: { ...text, secret: true, title: 'API key' } }, required: ['apiKey']",
      `properties: {
    accessToken: { ...text, secret: true, title: 'Access token' },
    refreshToken: { ...text, secret: true, title: 'Refresh token' },
    expiresAt: { ...text, title: 'Its end' }
  },
  required: ['accessToken', 'refreshToken', 'expiresAt']`
    )
    .replace(
      /connect: .*/,
      `connect: context => {
      const open = headers => context.http({ baseUrl: context.config.baseUrl, headers })
      const refresh = async ({ refreshToken }) => {
        const body = { refresh_token: refreshToken }
        const { access_token, expires_in } = await open({}).json({ method: 'POST', path: 'token', body })
        const expiresAt = new Date(Date.now() + expires_in * 1000).toISOString()
        return { accessToken: access_token, refreshToken, expiresAt }
      }
      const json = async request => {
        const token = await context.oauth.accessToken(refresh)
        return open({ authorization: 'Bearer ' + token }).json(request)
      }
      return { json }
    },`
    )
})

t.test('an adapter that renews its tokens as documented passes, whatever expiresAt says', async t => {
  for (const expiresAt of ['2020-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z']) {
    const { checks } = await runConformance(await install(t, authorised(goodAdapter(), expiresAt)), { limits })

    t.strictSame(checks.filter(failed).map(({ id, findings }) => ({ id, findings })), [], expiresAt)
    t.ok(checks.filter(levelTwo).every(({ status }) => status === 'passed'), `every call is seen, ${expiresAt}`)
  }
})

t.test('a call that replaces a built-in is named, each once, and the others are judged as if it had not', async t => {
  const good = goodAdapter()
  const source = good.source.replace(
    'async getProduct (externalId) {',
    'async getProduct (externalId) { JSON.parse = () => 7;'
  )
  const { checks } = await runConformance(await install(t, { ...good, source }), { limits })

  const found = checks.filter(failed)
  t.strictSame(found.map(({ id }) => id), ['L1-RUN-07'])
  t.match(found[0]?.findings, [
    { target: 'ProductMaster.getProduct', message: 'JSON.parse' },
    { target: 'good.product.refresh', message: 'JSON.parse' }
  ])
  t.equal(found[0]?.findings.length, 2)
})

t.test('asking for an unknown check throws', async t => {
  await t.rejects(runConformance(await install(t, goodAdapter()), { only: ['L2-ERR-99'] }), {
    message: "'L2-ERR-99'"
  })
})
