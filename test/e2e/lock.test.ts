import { existsSync } from 'node:fs'
import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createApi } from '../support/api.ts'
import { refused } from '../support/command.ts'
import { runLinker, startHubProcess } from '../support/hub-process.ts'
import { cheapestMode, openMode } from '../support/modes.ts'
import { pattern } from '../support/pattern.ts'
import { makeProject, type ForeignPackage } from '../support/project.ts'

/** An adapter that leaves a file where it was imported. */
function adapter (
  name: string,
  more: { version?: string, permissions?: object, fails?: boolean } = {}
): ForeignPackage {
  const { version = '1.0.0', permissions = {}, fails = false } = more
  return {
    manifest: {
      name: `@acme/${name}`,
      version,
      engines: { linker: '^0.1.0' },
      linker: { adapterKey: `${name}.api.v1`, platformType: name, displayName: name, capabilities: [], permissions }
    },
    source: `
      import { defineAdapter } from '@linker/sdk'
      import { writeFileSync } from 'node:fs'
      writeFileSync(new URL('../${name}.ran', import.meta.url), '')
      ${fails ? "throw new Error('not today')" : ''}
      export default defineAdapter({
        config: { type: 'object' },
        credentials: { type: 'null' },
        connect: () => ({}),
        account: async () => undefined,
        capabilities: {}
      })`
  }
}

async function openProject (t: Test, packages: readonly ForeignPackage[]) {
  const { directory, remove } = await makeProject({ adapters: packages.map(({ manifest }) => manifest.name) }, packages)
  t.teardown(remove)
  const place = (name: string): string => join(directory, 'node_modules', '@acme', name)
  const traces = packages.map(({ manifest }) => `${place(manifest.name.slice('@acme/'.length))}.ran`)
  return {
    directory,
    place,
    lock: () => readFile(join(directory, 'linker.lock'), 'utf8'),
    forget: () => Promise.all(traces.map(trace => rm(trace, { force: true }))),
    ran: () => traces.filter(trace => existsSync(trace)).length,
    change: (name: string) => appendFile(join(place(name), 'index.js'), '\n// another byte'),
    async edit (name: string, change: (manifest: ForeignPackage['manifest']) => object) {
      const path = join(place(name), 'package.json')
      await writeFile(
        path,
        JSON.stringify(change(JSON.parse(await readFile(path, 'utf8')) as ForeignPackage['manifest']))
      )
    },
    linker: (args: string[], variables: Record<string, string> = {}) => runLinker(args, directory, variables)
  }
}

t.test('scan writes the lock of the serving adapters, the same one each time', async t => {
  const project = await openProject(t, [
    adapter('two', { permissions: { http: ['https://two.example'] } }),
    adapter('one')
  ])
  const first = await project.linker(['scan'])
  const text = await project.lock()
  const second = await project.linker(['scan'])
  await project.forget()
  const check = await project.linker(['scan', '--check'])

  t.match(first, {
    code: 0,
    stdout: /two\.api\.v1 +1\.0\.0 +ready.*linker\.lock records one\.api\.v1@1\.0\.0, two\.api\.v1@1\.0\.0/s,
    stderr: ''
  })
  t.match(JSON.parse(text), {
    lockVersion: 1,
    adapters: {
      'two.api.v1@1.0.0': {
        package: '@acme/two',
        integrity: /^sha512-/,
        permissions: { http: ['https://two.example'] }
      }
    }
  })
  t.match(second, { code: 0, stdout: /up to date/ })
  t.equal(await project.lock(), text)
  t.match(check, { code: 0, stdout: /ready/ })
  t.equal(project.ran(), 2)
})

t.test('scan --check names the differences, loads no adapter and writes nothing', async t => {
  const project = await openProject(t, [adapter('one'), adapter('two'), adapter('three')])
  const unlocked = await project.linker(['scan', '--check'])
  await project.linker(['scan'])
  const text = await project.lock()
  await project.forget()
  await project.change('one')
  await project.edit('two', manifest => ({ ...manifest, version: '1.1.0' }))
  const drifted = await project.linker(['scan', '--check'])

  t.match(unlocked, { code: 1, stderr: /^linker: .*linker\.lock does not exist/ })
  t.match(drifted, { code: 1, stderr: /differ from linker\.lock/ })
  t.match(
    drifted.stdout,
    pattern(
      /^~ one\.api\.v1@1\.0\.0 \(@acme\/one\) has other files.*\n- two\.api\.v1@1\.0\.0 /,
      /.*not in this project\n\+ two\.api\.v1@1\.1\.0 .*not in linker\.lock\n/,
      /$/
    )
  )
  t.equal(await project.lock(), text)
  t.equal(project.ran(), 0)
})

t.test('scan asks before it records new permissions, one line each, and runs no code until then', async t => {
  const project = await openProject(t, [adapter('one', { permissions: { jobs: ['one.*'] } })])
  await project.linker(['scan'])
  const text = await project.lock()
  await project.forget()
  await project.edit(
    'one',
    manifest => ({
      ...manifest,
      version: '1.0.1',
      linker: {
        ...manifest.linker as object,
        permissions: { jobs: ['one.*'], http: ['https://one.example', 'https://elsewhere.example'], schedules: true }
      }
    })
  )
  const asked = await project.linker(['scan'])
  const before = { text: await project.lock(), ran: project.ran() }
  const agreed = await project.linker(['scan', '--yes'])

  t.match(asked, { code: 1, stderr: /linker scan --yes/ })
  t.match(
    asked.stdout,
    pattern(
      /may also send requests to https:\/\/one\.example\n.*may also /,
      /send requests to https:\/\/elsewhere\.example\n.*may also start /,
      /jobs on a schedule\n$/
    )
  )
  t.strictSame(before, { text, ran: 0 })
  t.equal(agreed.code, 0)
  t.match(await project.lock(), /one\.api\.v1@1\.0\.1.*elsewhere/s)
})

t.test('scan does not lock an adapter that does not serve', async t => {
  const project = await openProject(t, [adapter('one'), adapter('two', { fails: true })])

  t.match(await project.linker(['scan']), {
    code: 1,
    stdout: /LNK_ADAPTER_IMPORT_FAILED.*not today/,
    stderr: /linker\.lock was not written/
  })
  t.notOk(existsSync(join(project.directory, 'linker.lock')))
})

t.test('a frozen start is refused before any code of an adapter runs', async t => {
  const place = await openMode(cheapestMode(process.env), process.env)
  t.teardown(() => place.close())
  const variables = { ...place.variables, LOG_LEVEL: 'fatal', PORT: '0' }
  const project = await openProject(t, [adapter('one'), adapter('two')])
  const start = async (args: string[] = ['start', '--frozen'], more: Record<string, string> = {}) => {
    await project.forget()
    return project.linker(args, { ...variables, ...more })
  }
  const refusedBefore = async (reason: RegExp, finished = start()): Promise<void> => {
    refused(t, await finished, reason)
    t.equal(project.ran(), 0, 'nothing ran')
  }

  await refusedBefore(/there is no linker\.lock in/)
  await project.linker(['scan'])

  await project.change('two')
  await refusedBefore(/two\.api\.v1@1\.0\.0 \(@acme\/two\) has other files than those in linker\.lock.*linker scan/)
  await refusedBefore(/has other files/, start(['start'], { LINKER_FROZEN: 'on' }))
  await refusedBefore(/has other files/, start(['adapters'], { LINKER_FROZEN: 'on' }))
  await project.linker(['scan'])

  const locked = JSON.parse(await project.lock()) as { adapters: Record<string, object> }
  const { 'one.api.v1@1.0.0': _one, ...others } = locked.adapters
  await writeFile(join(project.directory, 'linker.lock'), JSON.stringify({ ...locked, adapters: others }))
  await refusedBefore(/one\.api\.v1@1\.0\.0 \(@acme\/one\) is not in linker\.lock/)

  await writeFile(join(project.directory, 'linker.lock'), '{}')
  await refusedBefore(/linker\.lock' is not a lock file/)

  await writeFile(join(project.directory, 'linker.lock'), JSON.stringify(locked))
  await rename(project.place('two'), `${project.place('two')}-away`)
  await refusedBefore(pattern(
    /two\.api\.v1@1\.0\.0 \(@acme\/two\) is in linker\.lock but not /,
    /in this project.*LNK_ADAPTER_NOT_INSTALLED/
  ))
})

t.test('a frozen start starts when nothing differs; without --frozen a difference is a warning', async t => {
  const place = await openMode(cheapestMode(process.env), process.env)
  t.teardown(() => place.close())
  const project = await openProject(t, [adapter('one')])
  await project.linker(['scan'])
  const states = async (variables: Record<string, string>) => {
    const hub = await startHubProcess(project.directory, {
      ...place.variables,
      ADMIN_TOKEN: 'x'.repeat(32),
      ...variables
    })
    t.teardown(() => hub.kill())
    const { json } = await createApi(hub.url, 'x'.repeat(32))('GET', '/adapters')
    await hub.stop()
    return {
      adapters: json,
      output: hub.output,
      warnings: hub.log.filter(line => line.includes('LNK_ADAPTER_INTEGRITY'))
    }
  }

  const same = await states({ LINKER_FROZEN: 'on' })
  await project.change('one')
  const changed = await states({})

  t.match(same, { adapters: [{ adapterKey: 'one.api.v1', state: 'ready' }], warnings: { length: 0 } })
  t.notMatch(same.output.join('\n'), 'LNK_ADAPTER_INTEGRITY')
  t.match(changed.adapters, [{ adapterKey: 'one.api.v1', state: 'ready' }])
  t.match(
    changed.output.join('\n'),
    /one\.api\.v1 +1\.0\.0 +ready.*\nLNK_ADAPTER_INTEGRITY: one\.api\.v1@1\.0\.0 .*has other files/
  )
  t.match(changed.warnings.map(line => JSON.parse(line) as object), [{
    level: 'warn',
    adapter: 'one.api.v1@1.0.0',
    msg: /has other files/
  }])
})
