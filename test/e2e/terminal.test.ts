import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ownModules } from '../fixtures/modules.ts'
import { installZoo, saysEscapes, zoo } from '../fixtures/zoo/index.ts'
import { refused } from '../support/command.ts'
import { runLinker, startHubProcess, type Finished } from '../support/hub-process.ts'
import { cheapestMode, openMode } from '../support/modes.ts'
import { openNpmProject, packAdapter } from '../support/npm-project.ts'
import { makeProject } from '../support/project.ts'

// People read the texts of adapters on a terminal. No such text may control that terminal, or look
// like a line of the hub.

const admin = 'a-token-of-more-than-thirty-two-characters'
// oxlint-disable-next-line no-control-regex
const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]/
const escaping = zoo.filter(({ name }) => name.startsWith('@zoo/escapes-in-'))

function harmless (t: Test, { stdout, stderr }: Pick<Finished, 'stdout' | 'stderr'>, name: string): void {
  t.notMatch(stdout, obeyed, `${name}: standard output`)
  t.notMatch(stderr, obeyed, `${name}: standard error`)
}

for (const isolation of ['inline', 'worker'] as const) {
  t.test(`adapters do not control a terminal with what they print, all ${isolation}`, async t => {
    const place = await openMode(cheapestMode(process.env), process.env)
    t.teardown(() => place.close())
    const shown = [...escaping, saysEscapes]
    const { directory, remove } = await makeProject({ adapters: shown.map(({ name }) => ({ use: name, isolation })) })
    t.teardown(remove)
    await ownModules(directory)
    await installZoo(directory, shown)
    const variables = { ...place.variables, ADMIN_TOKEN: admin }
    const table = await runLinker(['adapters'], directory)
    harmless(t, table, 'linker adapters')
    harmless(t, await runLinker(['adapters', '--json'], directory), 'linker adapters --json')
    t.equal(escaping.length, 3)
    t.notMatch(table.stdout + table.stderr, 'printed at import', 'what an adapter prints is not shown')
    t.equal(
      table.stdout.split('\n').filter(line => line.startsWith('zooescapesinmessages.api.v1')).length,
      1,
      'no line is forged'
    )

    const hub = await startHubProcess(directory, variables)
    t.teardown(() => hub.kill())
    const linker = (...args: string[]) => runLinker(args, directory, { ...variables, PORT: new URL(hub.url).port })
    const create = (name: string, config: object) =>
      linker(
        'connections',
        'create',
        '--platform',
        saysEscapes.platformType,
        '--name',
        name,
        '--config',
        JSON.stringify(config)
      )
    const well = await create('Says it well', {})
    const refusing = await create('Refuses', { refuses: true })

    t.match(well, {
      code: 0,
      stdout: /\nok {2}\\u001b\[2J\\u009b31mfine\\nok {2}Another shop \(1 ms\) \\u202e\\u007f \(\d+ ms\)\n$/
    })
    t.match(refusing, { code: 1, stdout: /\nfailed {2}\\u001b\[2J.*\\nok {2}Another shop/ })
    for (
      const [name, finished] of Object.entries({
        'a test': well,
        'a refusal': refusing,
        'connections list': await linker('connections', 'list'),
        'connections list --json': await linker('connections', 'list', '--json'),
        doctor: await linker('doctor')
      })
    ) harmless(t, finished, name)
    t.equal(await hub.stop(), 0)
    harmless(t, { stdout: hub.output.join('\n'), stderr: hub.log.join('\n') }, 'the hub')
    t.ok(hub.log.some(line => line.includes('\\u009b31mfine')), 'the log has it, escaped')
    t.notMatch(hub.output.join('\n'), 'printed at import')
    t.ok(
      hub.log.some(line =>
        line.includes('prints to the console') && line.includes(`${saysEscapes.platformType}.api.v1@1.0.0`)
      ),
      'the adapter that prints is named'
    )
  })
}

t.test('a name that clears the terminal before the list of permissions is refused, and the install undone', async t => {
  const project = await openNpmProject(t)
  const before = await project.state()
  const linker = {
    adapterKey: 'feedshop.api.v1',
    platformType: 'feedshop',
    displayName: 'Feedshop\u001b[2J',
    capabilities: ['InventoryMaster'],
    permissions: { http: ['https://feed.example'] }
  }
  const added = await project.linker('add', await packAdapter(t, { manifest: { linker } }))

  refused(t, added, /LNK_ADAPTER_MANIFEST_INVALID: .*\/linker\/displayName holds a control character/)
  harmless(t, added, 'linker add')
  t.strictSame(await project.state(), before)
})

t.test('an adapter whose package.json begins with a byte order mark serves', async t => {
  const project = await openNpmProject(t, { adapters: ['@acme/adapter-feedshop-v1'] })
  await project.linker('add', await packAdapter(t))
  const path = join(project.installed, 'package.json')
  const text = await readFile(path, 'utf8')
  await writeFile(path, `\ufeff${text}`)
  await writeFile(
    join(project.directory, 'linker.config.json'),
    `\ufeff${JSON.stringify({ adapters: ['@acme/adapter-feedshop-v1'] })}`
  )

  t.match(await project.linker('adapters'), { code: 0, stdout: /feedshop\.api\.v1 +1\.0\.0 +ready/ })
})
