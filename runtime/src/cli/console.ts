import { escapeUnprintable } from '@linker/sdk/host/text'
import type { Command } from 'commander'
import { addressOf } from '../access/console-address.ts'
import { print, printError } from '../terminal/print.ts'
import { withHub } from './connections.ts'
import { createHubClient, HubError, type HubOptions, type TypedClient } from './hub-client.ts'

/** `linker console`. */
export function addConsole (program: Command): void {
  withHub(program.command('console')
    .description('print a link that signs you in to the console of a running hub: once, within 10 minutes')
    .option('--json', 'print JSON'))
    .action(async ({ json, ...options }: HubOptions & { json?: boolean }) => {
      const link = await makeLink(await createHubClient(process.env, process.cwd(), options))
      if (json === true) {
        print(JSON.stringify(link, null, 2))
        return
      }
      // Only the address goes to standard output, so that a script can open it.
      print(escapeUnprintable(link.address))
      printError('this link signs in once, within 10 minutes')
    })
}

interface SignInLink {
  address: string
  expiresAt: string
}

/** Asks for the settings first: a hub without the console would make a code that nobody can use. */
export async function makeLink (hub: Pick<TypedClient, 'url' | 'get' | 'post'>): Promise<SignInLink> {
  const system = await hub.get('/system')
  // A hub of an older version does not know the member.
  if (system.console !== true) {
    throw new HubError(`the hub at ${hub.url} serves no console: LINKER_CONSOLE is off there, or its version is older`)
  }
  const { path, expiresAt } = await hub.post('/session/codes')
  return { address: addressOf(path, hub.url, system.publicUrl), expiresAt }
}
