import { existsSync } from 'node:fs'
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { freePort } from '../support/free-port.ts'
import { startHubProcess, type Finished } from '../support/hub-process.ts'
import { openNpmProject, packAdapter } from '../support/npm-project.ts'
import { repository } from '../support/project.ts'
import { runShell } from '../support/shell.ts'

const read = (file: string): Promise<string> => readFile(join(repository, file), 'utf8')

/** The commands of the shell blocks, one a line, as a reader would paste them. */
function shellBlocks (markdown: string): string[][] {
  return [...markdown.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block.replaceAll(/\\\n\s*/g, '').trim().split('\n'))
}

/** The commands of the blocks that are set in by four spaces. */
function indentedCommands (markdown: string): string[] {
  const lines = markdown.split('\n').filter(line => /^ {4}[a-z]+ /.test(line) && !/[─▶]/.test(line))
  return lines.flatMap(line => line.replace(/\s+# .*$/, '').trim().split(' && '))
}

t.test('the commands of the first screens are scripts of this repository', async t => {
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> }
  const readme = indentedCommands(await read('README.md'))
  const contributing = indentedCommands(await read('CONTRIBUTING.md'))
  const mentioned = [...(await read('README.md') + await read('CONTRIBUTING.md')).matchAll(/`npm (?:run )?([a-z:]+)`/g)].map(match => match[1] ?? '')

  t.strictSame(readme, ['npm install', 'npm start', 'npm run demo', 'npm test'])
  t.strictSame(contributing, ['npm install', 'npm test'])
  for (const name of new Set([...mentioned, ...[...readme, ...contributing].map(command => command.split(' ').at(-1) ?? '')])) {
    if (name !== 'install') t.type(scripts[name], 'string', `npm run ${name}`)
  }
})

t.test('every link of every README leads somewhere', async t => {
  let count = 0
  for await (const file of glob('**/*.md', { cwd: repository, exclude: path => path.includes('node_modules') })) {
    for (const [, target = ''] of (await read(file)).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
      if (/^https?:/.test(target)) continue
      count += 1
      t.ok(existsSync(join(repository, dirname(file), target)), `${file} → ${target}`)
    }
  }
  t.ok(count > 3)
})

t.test('a first connection and a first webhook, command by command', async t => {
  const blocks = shellBlocks(await read('README.md'))
  const [[simulators = '', create = '', list = '', adapters = ''] = [], [startWithSecret = '', send = '', readJob = ''] = []] = blocks
  const directory = await mkdtemp(join(tmpdir(), 'linker-readme-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const [hubPort, shopPort, marketPort] = [await freePort(), await freePort(), await freePort()]
  // What differs for a test: where the state is, and ports that are free.
  const variables = { PORT: String(hubPort), LINKER_DATA_DIR: directory, LOG_LEVEL: 'warn' }
  const here = (command: string): string => command.replaceAll(':4010', `:${shopPort}`).replaceAll(':3000', `:${hubPort}`)
  const run = async (command: string): Promise<string> => {
    const shell = runShell(t, here(command), variables)
    const code = await shell.ended
    if (code !== 0) throw new Error(`'${command}' ended ${code}:\n${shell.lines.join('\n')}`)
    return shell.lines.join('\n')
  }

  const hub = runShell(t, 'npm start', variables)
  const [, address = ''] = await hub.line(/listens on (\S+)/)
  t.equal(address, `http://127.0.0.1:${hubPort}`)
  await hub.line(/Token .*admin-token/)
  await hub.line(/API .*\/api\/docs/)

  t.match(simulators, /&$/)
  await runShell(t, simulators.replace(/ &$/, ` --shopa-port=${shopPort} --mktb-port=${marketPort}`)).line(/shopA {2}\S+/)
  const created = await run(create)
  const id = /^[0-9a-f-]{36}/.exec(created)?.[0] ?? ''
  t.match(created, /^[0-9a-f-]{36} {2}shopa\.webservice\.v1@\S+\nok {2}/)
  t.match(await run(list), new RegExp(`${id} +shopa +My shop +active`))
  t.match(await run(adapters), /shopa\.webservice\.v1.*ready/)

  hub.signal('SIGTERM')
  await hub.ended
  t.match(startWithSecret, /^LINKER_WEBHOOK_SECRET__SHOPA=\S+ npm start$/)
  await runShell(t, startWithSecret, variables).line(/listens on/)
  const sent = await run(send.replace('<id>', id))
  const deliveryId = /^202 ([0-9a-f-]{36})$/.exec(sent)?.[1] ?? ''
  t.not(deliveryId, '', sent)
  const job = await eventually('the job', async () => {
    const answer = JSON.parse(await run(readJob.replace('<delivery id>', deliveryId))) as { status: string | number }
    return answer.status === 'succeeded' ? answer : undefined
  })
  t.match(job, { id: deliveryId, jobType: 'master.product.syncByExternalId', connectionId: id })
  t.equal(blocks.flat().length, 7, 'no command is left out')
})

t.test('adapters are added, locked and started frozen, as the runtime says', async t => {
  const [, section = ''] = (await read('runtime/README.md')).split('\n## Adapters: add, pin, lock\n')
  const commands = shellBlocks(section.split('\n## ')[0] ?? '').flat()
  const project = await openNpmProject(t)
  const tarball = await packAdapter(t)
  const run = (command: string): Promise<Finished> => project.linker(...command.replace(/^npx linker /, '').replace('@acme/adapter-feedshop-v1', tarball).split(' '))
  const [add = '', scan = '', check = '', doctor = '', start = '', ...more] = commands

  t.strictSame(more, [])
  t.match(await run(add), { code: 0, stdout: /feedshop\.api\.v1@1\.0\.0/ })
  t.match(await run(scan), { code: 0, stdout: /linker\.lock records feedshop\.api\.v1@1\.0\.0/ })
  t.match(await run(check), { code: 0 })
  t.match(await run(doctor), { code: 0, stdout: /linker\.lock +matches the adapters/ })
  t.equal(start, 'npx linker start --frozen')
  const hub = await startHubProcess(project.directory, { LINKER_FROZEN: 'on' })
  t.teardown(() => hub.kill())
  t.match(hub.output.join('\n'), /feedshop\.api\.v1 +1\.0\.0 +ready/)
  t.equal(await hub.stop(), 0)
})

t.test('npm test can be given files, as CONTRIBUTING says', async t => {
  const [, command = ''] = /`(npx node [^`]*test\/run\.ts [^`]*)`/.exec((await read('CONTRIBUTING.md')).replaceAll('\n', ' ')) ?? []
  const shell = runShell(t, command)

  t.equal(await shell.ended, 0, shell.lines.join('\n'))
  t.match(shell.lines.at(-1), /^\d+ passed, 0 failed$/)
})
