import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { extract } from 'tar'
import { installZoo, tellsSecrets } from '../fixtures/zoo/index.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { holdsSecret } from '../support/secret-forms.ts'

const key = 'canary-of-the-shop-"7"'
const buyer = 'Canary Nowak'
const email = 'canary.nowak@example.com'

async function readReport (path: string, into: string): Promise<Map<string, string>> {
  await extract({ file: path, cwd: into })
  const folder = join(into, 'linker-report')
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(entry => entry.isFile())
  return new Map(await Promise.all(names.map(async ({ parentPath, name }) => {
    const file = join(parentPath, name)
    return [file.slice(folder.length + 1), await readFile(file, 'utf8')] as const
  })))
}

t.test('a report has what support needs, and neither secrets nor data of buyers', async t => {
  const hub = await buildTestHub(t, {
    mode: cheapestMode(process.env),
    install: directory => installZoo(directory, [tellsSecrets]),
    config: { adapters: [{ use: tellsSecrets.name }] }
  })
  const jobType = `${tellsSecrets.platformType}.tell.run`
  const created = await hub.call('POST', '/connections', {
    body: { name: buyer, platformType: tellsSecrets.platformType, credentials: { apiKey: key } }
  })
  const { id } = created.json as { id: string }
  await hub.call('PATCH', `/connections/${id}`, { body: { status: 'error' } })
  await hub.call('PATCH', `/connections/${id}`, { body: { status: 'active' } })
  await hub.call('POST', '/jobs', {
    body: { jobType, connectionId: id, payload: { externalId: buyer } },
    headers: { 'x-request-id': 'telling' }
  })
  await hub.jobsOf('telling')
  await hub.call('POST', `/connections/${id}/pause`, { body: { reason: `${buyer} asked for it` } })
  const problem = JSON.stringify({ code: 'LNK_ADAPTER_REJECTED', message: `${buyer}, ${email}, ${key}` })
  await hub.database().query(
    `update jobs set state = null, due_at = null, outcome = 'dead', died_at = now(), finished_at = now(),
       problem = $1::jsonb, result = $1::jsonb, payload = $1::jsonb`,
    [problem]
  )
  await hub.database().query('update connections set status_reason = $1', [`${buyer} ${key}`])

  const output = join(hub.directory, 'report.tar.gz')
  const linker = (...args: string[]) => runLinker(['report', ...args], hub.directory, { CANARY_TOKEN: key })
  const address = ['--url', hub.url, '--token', hub.keys.admin]
  const made = await linker('--out', output, ...address)
  t.equal(made.code, 0, made.stderr)
  t.match(made.stdout, /report\.tar\.gz\n\d+ files, readable by you only/)
  t.notMatch(made.stdout, /Not in it/)
  const files = await readReport(output, hub.directory)

  t.test('only its owner can read it, and it replaces nothing', async t => {
    t.equal((await stat(output)).mode & 0o777, 0o600)
    const again = await linker('--out', output, ...address)
    t.not(again.code, 0)
    t.match(again.stderr, /cannot write the report.*exist/)
  })

  t.test('it has versions, findings, settings, connections, failures and figures', async t => {
    t.strictSame([...files.keys()].toSorted(), [
      'README.txt',
      'attention.json',
      'connections.json',
      'dead-jobs.json',
      `diagnostics/${id}.json`,
      'doctor.json',
      'figures.json',
      'settings.json',
      'system.json',
      'versions.json'
    ])
    const read = (name: string): unknown => JSON.parse(files.get(name) ?? '')
    t.match(read('versions.json'), { linker: /^\d/, node: process.version })
    t.match(read('connections.json'), [{ id, platformType: tellsSecrets.platformType }])
    t.match((read('dead-jobs.json') as unknown[])[0], { status: 'dead', code: 'LNK_ADAPTER_REJECTED', jobType: String })
    t.match(read(`diagnostics/${id}.json`), { findings: [{ code: String, severity: String }] })
    t.match(read('figures.json'), { step: 3_600 })
    t.match(read('attention.json'), [{ kind: String, severity: String }])
    t.match(read('system.json'), { processes: [{ role: 'all' }] })
    t.ok((read('doctor.json') as { check: string }[]).some(({ check }) => check === 'node'))
    for (const [name, text] of files) t.notMatch(text, /"failed":/, name)
  })

  t.test('no secret and nothing about a buyer is in it', async t => {
    const secrets = [key, buyer, email, hub.keys.admin, hub.keys.shop, hub.keys.market, hub.keys.webhook]
    for (const [name, text] of files) t.notOk(holdsSecret(text, secrets), name)
  })

  t.test('without a hub it has what this machine knows', async t => {
    const alone = join(hub.directory, 'alone.tar.gz')
    const made = await linker('--out', alone, '--url', 'http://127.0.0.1:1', '--token', key)
    t.equal(made.code, 0, made.stderr)
    t.match(made.stdout, /Not in it: what a running hub tells \(/)
    t.equal((await stat(alone)).mode & 0o777, 0o600)
  })
})
