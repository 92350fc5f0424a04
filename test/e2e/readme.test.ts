import { existsSync } from 'node:fs'
import { glob, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { eventually } from '../support/api.ts'
import { bundledLinker } from '../support/bundle.ts'
import { freePort } from '../support/free-port.ts'
import { startHubProcess, type Finished } from '../support/hub-process.ts'
import { openNpmProject, packAdapter } from '../support/npm-project.ts'
import { repository } from '../support/project.ts'
import { readChapter } from '../support/runtime-docs.ts'
import { runShell } from '../support/shell.ts'

const read = (file: string): Promise<string> => readFile(join(repository, file), 'utf8')

/** The commands of the shell blocks, one a line, as a reader would paste them. */
function shellBlocks (markdown: string): string[][] {
  return [...markdown.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) =>
    block.replaceAll(/\\\n\s*/g, '').trim().split('\n')
  )
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
  const mentioned = [...(await read('README.md') + await read('CONTRIBUTING.md')).matchAll(/`npm (?:run )?([a-z:]+)`/g)]
    .map(match => match[1] ?? '')

  t.strictSame(readme, ['npm install', 'npm run demo', 'npm start', 'npm test'])
  t.strictSame(contributing, ['npm install', 'npm test'])
  for (
    const name of new Set([
      ...mentioned,
      ...[...readme, ...contributing].map(command => command.split(' ').at(-1) ?? '')
    ])
  ) {
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

/** The folders and files of this repository in a folder where a reader may add some. */
async function openCheckout (t: Test): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-readme-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  for (const name of ['examples', 'node_modules', 'package.json', 'plugins', 'runtime', 'sdk', 'tsconfig.base.json']) {
    await symlink(join(repository, name), join(directory, name))
  }
  return directory
}

async function anchorsOf (file: string): Promise<string[]> {
  return [...(await read(file)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replaceAll(/[^a-z0-9 -]/g, '').replaceAll(' ', '-')
  )
}

t.test('every link to a chapter leads to a heading', async t => {
  let count = 0
  for await (const file of glob('**/*.md', { cwd: repository, exclude: path => path.includes('node_modules') })) {
    for (const [, target = '', anchor = ''] of (await read(file)).matchAll(/\]\(([^)#:]*)#([^)]+)\)/g)) {
      count += 1
      const anchors = await anchorsOf(target === '' ? file : join(dirname(file), target))
      t.ok(anchors.includes(anchor), `${file} → ${target}#${anchor}`)
    }
  }
  t.ok(count > 50)
})

t.test('your own hub in five steps, command by command, in the order of the README', async t => {
  const [, chapter = ''] = (await read('README.md')).split('\n## Your own hub in five steps\n')
  const [
    [simulators = ''] = [],
    [copy = ''] = [],
    [makeKey = '', start = ''] = [],
    [shop = '', market = '', install = ''] = [],
    [link = ''] = [],
    [change = '', stock = '', look = ''] = [],
    ...more
  ] = shellBlocks(chapter.split('\n## ')[0] ?? '')
  t.strictSame(more, [], 'no command is left out')
  const directory = await openCheckout(t)
  const [hubPort, shopPort, marketPort, webPort, restPort, controlPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort()
  ]
  // The test replaces the ports of the README by free ones.
  const [, name = '', secret = ''] = /`(LINKER_WEBHOOK_SECRET__\w+)=([^`]+)`/.exec(chapter) ?? []
  const variables = { PORT: String(hubPort), LOG_LEVEL: 'warn', [name]: secret }
  const here = (text: string): string =>
    text.replaceAll(':4010', `:${shopPort}`).replaceAll(':4020', `:${marketPort}`).replaceAll(':3000', `:${hubPort}`)
      .replaceAll(':4040', `:${controlPort}`)
  // The first use of npx shows that it finds the command. The others would run the same sources
  // again, in four times the processor time of the bundle.
  let npxUses = 0
  const withoutNpx = (text: string): string =>
    text.replaceAll('npx linker', found => (npxUses++) === 0 ? found : `'${process.execPath}' '${bundledLinker}'`)
  const run = async (command: string): Promise<string> => {
    const shell = runShell(t, withoutNpx(here(command)), variables, directory)
    const code = await shell.ended
    if (code !== 0) throw new Error(`'${command}' ended ${code}:\n${shell.lines.join('\n')}`)
    // npm warns about the settings of the person who runs the test, which is no output of the
    // README.
    return shell.lines.filter(line => !line.startsWith('npm warn')).join('\n')
  }

  const ports = [
    `--shopa-port=${shopPort} --mktb-port=${marketPort} --mkta-web-port=${webPort} --mkta-rest-port=${restPort}`,
    `--control-port=${controlPort}`
  ].join(' ')
  await runShell(t, `${simulators} ${ports}`, {}, directory).line(/^mktB +\S+/)
  await run(copy)
  const configuration = join(directory, 'linker.config.json')
  await writeFile(configuration, here(await readFile(configuration, 'utf8')))
  await run(makeKey)
  const hub = runShell(t, start, variables, directory)
  const [, address = ''] = await hub.line(/listens on (\S+)/)
  t.equal(address, `http://127.0.0.1:${hubPort}`)
  await hub.line(/Token .*admin-token/)
  await hub.line(/API .*\/api\/docs/)

  t.match(await run(shop), /^[0-9a-f-]{36} {2}shopa\.webservice\.v1@\S+\nok {2}/)
  t.match(await run(market), /^[0-9a-f-]{36} {2}mktb\.shopapi\.v1@\S+\nok {2}/)
  t.match(await run(install), /^installed, and a test event arrived$/)
  // The command says so while the hub reads the catalog; a busy machine needs longer for that.
  const linked = await eventually('the catalog of the shop', async () =>
    run(link).catch((error: Error) => {
      if (error.message.includes('catalog takes a moment')) return undefined
      throw error
    }))
  t.match(linked, /^[0-9a-f-]{36} {2}variant \S+ sells as hub-variant-1$/)
  await run(change)
  await eventually('the new quantity at the marketplace', async () => {
    const { stock } = JSON.parse((await run(look)).split('\n').at(-1) ?? '') as { stock: number }
    return stock === 3 ? true : undefined
  })
  t.match(await run(stock), / 3 +0 +\S+ +3 +3\b/)

  const [, send = ''] = /`(npx linker webhook send shop [^`]+)`/.exec(chapter) ?? []
  t.match(await run(send), /^202 [0-9a-f-]{36}$/)

  t.test('an order reaches the shop, as the README of the simulators says', async t => {
    const heading = '\n## Place an order while the simulators run\n'
    const [, part = ''] = (await read('examples/simulators/README.md')).split(heading)
    const [[place = '', sweep = '', list = '', ...rest] = []] = shellBlocks(part)
    t.strictSame(rest, [])

    // Beside the answer, curl prints its progress.
    const answer = (await run(place)).split('\n').find(line => line.startsWith('{')) ?? ''
    const { id } = JSON.parse(answer) as { id: string }
    await run(sweep)
    const row = await eventually('the order in the shop', async () => {
      const found = (await run(list)).split('\n').find(line => line.includes(id)) ?? ''
      return / created /.test(found) ? found : undefined
    })
    t.match(row, id)
  })

  t.test('the circuit breaker opens and closes, as the README of the simulators says', async t => {
    const [, part = ''] = (await read('examples/simulators/README.md')).split('\n## Faults while the simulators run\n')
    const [[fail = '', loop = '', show = '', work = '', test = '', ...rest] = []] = shellBlocks(part)
    t.strictSame(rest, [show])

    await run(fail)
    t.equal(await runShell(t, withoutNpx(here(loop)), variables, directory).ended, 1, 'the last test failed')
    t.match(await run(show), /^breaker +open, /m)
    await run(work)
    t.match(await run(test), /^ok /)
    t.match(await run(show), /^breaker +closed$/m)
  })
})

t.test('the table of sizes is what the plan prints, and the command below it works', async t => {
  const [, chapter = ''] = (await read('README.md')).split('\n## Size\n')
  const [text = ''] = chapter.split('\n## ')
  const table = text.split('\n').filter(line => line.startsWith('|')).join('\n')
  const [, given = ''] = /`npm run plan -- ([^`]+)`/.exec(text.replaceAll('\n', ' ')) ?? []
  const run = async (options: string): Promise<string> => {
    const shell = runShell(t, `npm run -s plan -- ${options}`, {}, repository)
    t.equal(await shell.ended, 0)
    return shell.lines.filter(line => !line.startsWith('npm warn')).join('\n')
  }

  t.equal(await run('--sizes'), table)
  t.match(await run(given), /--connections +200 .*First bottleneck: /s)
  for (const [, image = ''] of text.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)) {
    t.ok(existsSync(join(repository, image)), image)
  }
})

t.test('adapters are added, locked and started frozen, as the runtime says', async t => {
  const commands = shellBlocks(await readChapter('adapters', 'Adapters: add, pin, lock')).flat()
  const project = await openNpmProject(t)
  const tarball = await packAdapter(t)
  const run = (command: string): Promise<Finished> =>
    project.linker(...command.replace(/^npx linker /, '').replace('@acme/adapter-feedshop-v1', tarball).split(' '))
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
  const [, command = ''] =
    /`(npx node [^`]*test\/run\.ts [^`]*)`/.exec((await read('CONTRIBUTING.md')).replaceAll('\n', ' ')) ?? []
  const shell = runShell(t, command)

  t.equal(await shell.ended, 0, shell.lines.join('\n'))
  t.match(shell.lines.at(-1), /^\d+ passed, 0 failed$/)
})
