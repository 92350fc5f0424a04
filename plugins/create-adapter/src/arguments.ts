import { parseArgs } from 'node:util'
import { Refusal, type Given } from './answers.ts'

export const usage = `npm create @linker/adapter@latest <folder> -- --role shop|marketplace|carrier

  --role <role>          the kind of platform
  --platform <name>      its name in keys and addresses; default: the name of the folder
  --display-name <text>  its name for people; default: made of the platform's`

/** Reads the command line. Throws a `Refusal` that names an unknown option. */
export function readArguments (args: readonly string[]): Given & { isHelp: boolean } {
  const { values, positionals: [folder, ...others] } = parse(args)
  // npm takes options before `--` for its own, and their values for arguments.
  if (others.length > 0) throw new Refusal(`'${others.join(' ')}' is too much: options come after --`)
  const { role, platform, 'display-name': displayName, help: isHelp = false } = values
  return { folder, role, platform, displayName, isHelp }
}

function parse (args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        role: { type: 'string' },
        platform: { type: 'string' },
        'display-name': { type: 'string' },
        help: { type: 'boolean', short: 'h' }
      }
    })
  } catch (error) {
    throw new Refusal(error instanceof Error ? error.message : '')
  }
}
