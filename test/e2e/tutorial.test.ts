import { cp, mkdir, writeFile } from 'node:fs/promises'
import { basename, delimiter, dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { freePort } from '../support/free-port.ts'
import { readLockedPackages } from '../support/locked-packages.ts'
import { temporaryFolder } from '../support/npm-project.ts'
import { startRegistry } from '../support/registry.ts'
import { runShell } from '../support/shell.ts'
import { packPackages } from '../support/tarballs.ts'
import { readTutorial, type Instruction } from '../support/tutorial.ts'

/** Commands that go on until somebody stops them, and what they print when they are ready. */
const lasting: Readonly<Record<string, RegExp>> = {
  'npm run platform': /^http:\S+ with the key \S+$/,
  'npx linker start': /listens on http:/
}

interface Author {
  /** Does what an instruction says, in the folder where the commands before it have led. */
  follow(instruction: Instruction): Promise<void>
  /** The output of all commands so far. */
  output(): string
}

/** An author with an empty folder outside of this repository, and with a registry. */
async function openAuthor (t: Test, { published }: { published: boolean }): Promise<Author> {
  const home = await temporaryFolder(t)
  const registry = await startRegistry(t, await readLockedPackages())
  const tarballs = await packPackages()
  let directory = join(home, 'work')
  await mkdir(join(directory, 'packages'), { recursive: true })
  for (const { name, path } of tarballs) {
    const { version = '' } = /-(?<version>\d[\w.-]*)\.tgz$/.exec(path)?.groups ?? {}
    if (published) await registry.publish(name, version, path)
    else await cp(path, join(directory, 'packages', basename(path)))
  }
  const variables = {
    HOME: home,
    PATH: [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
    PORT: String(await freePort()),
    npm_config_registry: registry.url,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false'
  }
  // Another test, or a person, may use the port of the README.
  const platformPort = String(await freePort())
  const lines: string[] = []

  async function run (commands: string): Promise<void> {
    const last = commands.trimEnd().split('\n').at(-1) ?? ''
    const shell = runShell(t, `set -e\n${commands}pwd`, variables, directory)
    const ready = lasting[last]
    if (ready !== undefined) {
      await shell.line(ready)
      return
    }
    const code = await shell.ended
    lines.push(...shell.lines)
    if (code !== 0) throw new Error(`this ended with ${code}:\n${commands}\n${shell.lines.join('\n')}`)
    directory = shell.lines.at(-1) ?? ''
  }

  return {
    output: () => lines.join('\n'),
    async follow (instruction) {
      const here = (text: string): string => text.replaceAll('4700', platformPort)
      if (instruction.kind === 'run') return run(here(instruction.commands))
      const path = join(directory, instruction.file)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, here(instruction.content))
    }
  }
}

t.test('the tutorial leads from an empty folder to a package that is ready to publish', async t => {
  const steps = await readTutorial()
  const author = await openAuthor(t, { published: true })

  for (const { title, instructions } of steps) {
    const startedAt = performance.now()
    for (const instruction of instructions) await author.follow(instruction)
    t.comment(`${title}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
  }

  t.equal(steps.length, 5)
  const output = author.output()
  t.equal([...output.matchAll(/^ℹ fail 0$/gm)].length, 2, 'the tests passed, those of the package and those written')
  t.equal([...output.matchAll(/^\d+ passed, 0 failed, 0 exempt, /gm)].length, 2, 'the suite passed, too')
  t.match(output, /feedshop\.api\.v1@0\.1\.0\nok .*the key is valid/, 'the connection is tested')
  t.match(output, /Lamp/, 'the product is read through the hub')
  t.match(output, /\n✓ ready for npm publish\. Nothing was uploaded/)
})

t.test('without packages in a registry, the tutorial begins with tarballs', async t => {
  const [{ fromTarballs = '' } = {}] = await readTutorial()
  const author = await openAuthor(t, { published: false })

  const startedAt = performance.now()
  await author.follow({ kind: 'run', commands: fromTarballs })
  t.comment(`1. Make the package, from tarballs: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)

  t.match(author.output(), /^ℹ fail 0$/m)
  t.match(author.output(), /^\d+ passed, 0 failed, 0 exempt, /m)
})
