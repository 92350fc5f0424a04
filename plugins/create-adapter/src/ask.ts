import { isCancel, select, text } from '@clack/prompts'
import type { Readable, Writable } from 'node:stream'
import { displayNameOf, displayNameProblem, platformOf, platformProblem, Refusal, type Given } from './answers.ts'
import { roleNames, roles } from './roles.ts'

/** Where the author reads and types. Default: the terminal of the process. */
export interface Terminal {
  input?: Readable
  output?: Writable
}

/** Asks for everything that is not given. Offers what follows from the other answers. */
export async function ask (given: Given, cwd: string, terminal: Terminal = {}): Promise<Given> {
  const folder = given.folder ?? await askText('Folder of the adapter', 'my-shop', () => undefined, terminal)
  const role = given.role ?? answered(await select({
    message: 'The platform is a',
    options: roleNames.map(name => ({ value: name as string, label: name, hint: roles[name].hint })),
    ...terminal
  }))
  const fromFolder = platformOf(folder, cwd)
  const offer = platformProblem(fromFolder) === undefined ? fromFolder : 'my-shop'
  const platform = given.platform ?? await askText('Platform, in keys and addresses', offer, platformProblem, terminal)
  const displayName = given.displayName ??
    await askText('Platform, for people', displayNameOf(platform), displayNameProblem, terminal)
  return { folder, role, platform, displayName }
}

async function askText (
  message: string,
  offer: string,
  problemOf: (value: string) => string | undefined,
  terminal: Terminal
): Promise<string> {
  return answered(await text({
    message,
    placeholder: offer,
    defaultValue: offer,
    validate: value => problemOf(value === undefined || value === '' ? offer : value),
    ...terminal
  }))
}

function answered (value: string | symbol): string {
  if (isCancel(value)) throw new Refusal('stopped: nothing was made')
  return value
}
