import { generateCatalog } from '@linker/simulators'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { packagesInTypes } from '../fixtures/type-imports.ts'
import { eventually } from '../support/api.ts'
import { buildTestHub, type Job } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { repository } from '../support/project.ts'

const run = promisify(execFile)
const jobType = 'master.product.syncByExternalId'

/** A project of a developer who has installed the packed client, with the code of its README. */
async function makeProject (t: Test): Promise<{ directory: string, installed: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-client-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const modules = join(directory, 'node_modules')
  const installed = join(modules, '@linker', 'client')
  await mkdir(installed, { recursive: true })
  const { stdout } = await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', directory], {
    cwd: join(repository, 'sdk/client')
  })
  await run('tar', ['-xzf', stdout.trim(), '-C', installed, '--strip-components=1'], { cwd: directory })
  for (const name of ['@types', 'undici-types']) {
    await symlink(join(repository, 'node_modules', name), join(modules, name))
  }
  const readme = await readFile(join(repository, 'sdk/client/README.md'), 'utf8')
  const [script = '', adapters = ''] = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code ?? '')
  await writeFile(join(directory, 'package.json'), JSON.stringify({ name: 'scripts', private: true, type: 'module' }))
  await writeFile(join(directory, 'redrive.ts'), script)
  const given = "import { createClient } from '@linker/client'\nconst [url, token] = ['', '']\n"
  await writeFile(join(directory, 'adapters.ts'), given + adapters)
  const types = "import type { HubPaths } from '@linker/client'\nexport type paths = HubPaths\n"
  await writeFile(join(directory, 'hub.d.ts'), types)
  return { directory, installed }
}

t.test('the script of the README compiles against the packed client, and runs dead jobs of a hub again', async t => {
  const { directory, installed } = await makeProject(t)
  const compiler = join(repository, 'node_modules/typescript/lib/tsc.js')
  const options = '--noEmit --strict --noUncheckedIndexedAccess --module nodenext --target es2024 --types node'
  await t.resolves(run(
    process.execPath,
    [compiler, ...options.split(' '), '--allowImportingTsExtensions', 'redrive.ts', 'adapters.ts'],
    { cwd: directory }
  ).catch(({ stdout }: { stdout: string }) => Promise.reject(new Error(stdout))))
  t.strictSame(await packagesInTypes(installed), [])
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env) })
  const connectionId = await hub.connect('shopa')
  const missing = { method: 'GET', path: /^\/api\/products/, times: Number.POSITIVE_INFINITY, answer: { status: 404 } }
  hub.shop.faults.add(missing)
  const dead: string[] = []
  for (const product of generateCatalog({ products: 2, combinationsEach: 0 })) {
    hub.shop.addProduct(product)
    const { json } = await hub.call('POST', '/jobs', {
      body: { jobType, connectionId, payload: { externalId: String(product.id) } }
    })
    const { jobId } = json as { jobId: string }
    t.match(await hub.endOf(jobId), { status: 'dead' })
    dead.push(jobId)
  }
  hub.shop.faults.clear()

  const { stdout } = await run(process.execPath, ['redrive.ts'], {
    cwd: directory,
    env: { LINKER_URL: hub.url, LINKER_TOKEN: hub.keys.admin }
  })

  const lines = stdout.trimEnd().split('\n')
  t.strictSame(lines.slice(0, 2).map(line => line.split('  ')[0]), dead.toReversed())
  t.match(lines[0], /: .+/)
  t.equal(lines[2], '2 of 2 jobs would run again')
  t.match(lines[3], /^redrive \S+ of 2 jobs: /)
  for (const id of dead) {
    await eventually(
      'a job that succeeds',
      async () => ((await hub.call('GET', `/jobs/${id}`)).json as Job).status === 'succeeded' ? true : undefined
    )
  }
})
