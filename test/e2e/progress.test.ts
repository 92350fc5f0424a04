import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { runLinker } from '../support/hub-process.ts'
import { hasProgram } from '../support/interpreters.ts'
import { cheapestMode } from '../support/modes.ts'
import { openNpmProject, packAdapter } from '../support/npm-project.ts'
import { repository } from '../support/project.ts'
import { runOnTerminal } from '../support/run-on-terminal.ts'
import { openShopAndMarket } from '../support/shop-and-market.ts'

interface Command {
  args: string[]
  /** A step that a terminal shows. */
  step: RegExp
  hasJson?: boolean
  variables?: Record<string, string>
}

const anyStep = / …$/m

t.test('commands that take a while say on a terminal what they do, and nothing of it into a pipe', async t => {
  if (!hasProgram(t, 'python3')) return
  const { hub, shopId, marketId } = await openShopAndMarket(t, { mode: cheapestMode(process.env) })
  const inDirectory = (name: string): string => join(hub.directory, name)
  await writeFile(inDirectory('declaration.yaml'), 'version: 1\n')
  // A declaration names connections by their names.
  await hub.call('PATCH', `/connections/${marketId}`, { body: { name: 'My market' } })
  const access = { LINKER_URL: hub.url, LINKER_TOKEN: hub.keys.admin }
  const embedded = (name: string) => ({ LINKER_DATA_DIR: inDirectory(name) })
  const plugin = join(repository, 'plugins', 'adapter-shopa-v1')

  const commands: Command[] = [
    {
      args: ['backup', '--out', 'a.gz'],
      step: /^ {2}the hub at http\S+ takes the backup …\n {2}checking the file …$/m,
      hasJson: true,
      variables: access
    },
    { args: ['restore', 'a.gz'], step: /^ {2}checking the file …$/m, variables: embedded('on-terminal') },
    { args: ['migrate'], step: /^ {2}opening the database …$/m, variables: embedded('migrated') },
    { args: ['doctor', '--url', hub.url], step: /^ {2}loading the adapters …$/m, hasJson: true, variables: access },
    { args: ['report'], step: /^ {2}reading doctor\.json …$/m, variables: access },
    { args: ['upgrade', '--plan'], step: /^ {2}planning '.*', 2 of 2 …$/m, hasJson: true, variables: access },
    { args: ['conformance', plugin, '--only', 'L1-MAN-01'], step: /^ {2}L1-MAN-01 .* …$/m, hasJson: true },
    {
      args: ['stock', 'reconcile', '--connection', marketId, '--dry-run'],
      step: /^ {2}the hub reads and compares …$/m,
      hasJson: true,
      variables: access
    },
    { args: ['connections', 'test', shopId], step: /^ {2}the hub calls the platform …$/m, variables: access },
    { args: ['apply', 'declaration.yaml'], step: /^ {2}reading the settings /m, hasJson: true, variables: access },
    {
      args: ['deliveries', 'replay', '--connection', shopId, '--dry-run'],
      step: /^ {2}the hub looks for the deliveries …$/m,
      hasJson: true,
      variables: access
    }
  ]
  for (const { args, step, hasJson = false, variables = {} } of commands) {
    const name = args.join(' ')
    t.match(await runOnTerminal(args, hub.directory, variables), step, name)
    if (!hasJson) continue
    const piped = args.map(part => part === 'a.gz' ? 'piped.gz' : part)
    const { stdout, stderr } = await runLinker([...piped, '--json'], hub.directory, variables)
    t.notMatch(stdout + stderr, anyStep, `${name} --json`)
    t.match(stdout, /^[[{][^]*[\]}]\n$/, `${name} --json: ${stderr}`)
  }
})

t.test('linker add says what it waits for', async t => {
  if (!hasProgram(t, 'python3')) return
  const project = await openNpmProject(t)
  const offline = { npm_config_offline: 'true', npm_config_loglevel: 'error' }
  const added = await runOnTerminal(['add', await packAdapter(t)], project.directory, offline)

  t.match(added, /^ {2}installing \/.*\.tgz with npm …\n {2}loading the adapters …\n@acme\/adapter-feedshop-v1: /)
  t.notMatch((await project.linker('add', await packAdapter(t))).stderr, anyStep)
})
