import { Command } from 'commander'
import { readFile } from 'node:fs/promises'
import t from 'tap'

const main = new URL('../../src/cli/main.ts', import.meta.url)

/** These run until they are stopped, write files or install; `token` and `config` print lines. */
const withoutJson = [
  'start',
  'dev',
  'migrate',
  'add',
  'scan',
  'docs',
  'record',
  'report',
  'export',
  'config',
  'token',
  'token rotate'
]

interface Declared extends Command {
  /** Set by `action`; a command that only has subcommands has none. */
  _actionHandler?: unknown
}

function actionsOf (command: Declared, path: readonly string[] = []): [string, Command][] {
  const own: [string, Command][] = command._actionHandler === undefined || command._actionHandler === null
    ? []
    : [[path.join(' '), command]]
  return [...own, ...command.commands.flatMap(one => actionsOf(one, [...path, one.name()]))]
}

t.test('every other command can answer JSON', async t => {
  const program = new Command('linker')
  const text = await readFile(main, 'utf8')
  for (const [, path = '', name = ''] of text.matchAll(/import\('(\.\/[^']+)'\)\)\.(add(?!Completion)\w+)/g)) {
    const module = await import(new URL(path, main).href) as Record<string, (program: Command) => void>
    module[name]?.(program)
  }
  const actions = actionsOf(program)

  t.ok(actions.length > 90, `${actions.length} commands`)
  const without = actions.filter(([, { options }]) => !options.some(({ long }) => long === '--json'))
  t.strictSame(without.map(([path]) => path).toSorted(), withoutJson.toSorted())
})
