import type { Command } from 'commander'
import { writeFile } from 'node:fs/promises'
import { print } from '../terminal/print.ts'
import { withHub } from './connections.ts'
import { describeState } from './declaration/describe-state.ts'
import { readHubState } from './declaration/hub-state.ts'
import { createHubClient, HubError, type HubOptions } from './hub-client.ts'
import { codeOf } from './read-input.ts'

/** `linker export`. */
export function addExport (program: Command): void {
  withHub(program.command('export')
    .description('write connections without secrets, schedules, routing rules and offer links as YAML')
    .option('--no-offers', 'leave the offer links out')
    .option('--out <file>', 'write to this new file instead of standard output'))
    .action(async ({ offers, out, ...options }: HubOptions & { offers: boolean, out?: string }) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const { offers: links, ...declaration } = describeState(await readHubState(hub, offers))
      const { writeDeclaration } = await import('./declaration/write-declaration.ts')
      const text = writeDeclaration(offers ? { ...declaration, offers: links } : declaration)
      if (out === undefined) {
        print(text.trimEnd())
        return
      }
      await writeFile(out, text, { flag: 'wx' }).catch((error: unknown) => {
        throw new HubError(`cannot write ${out}: ${codeOf(error)}`, { cause: error })
      })
    })
}
