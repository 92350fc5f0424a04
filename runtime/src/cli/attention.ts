import { escapeUnprintable } from '@linker/sdk/host/text'
import type { Command } from 'commander'
import type { AttentionItem } from '../attention/schemas.ts'
import { print } from '../terminal/print.ts'
import { describeLength } from '../words.ts'
import { withHub } from './connections.ts'
import { createHubClient, type HubOptions } from './hub-client.ts'

export function addAttention (program: Command): void {
  withHub(program.command('attention')
    .description('list what needs a person, the gravest first; exits with 1 when something does not work')
    .option('--json', 'print JSON'))
    .action(async ({ json, ...options }: HubOptions & { json?: boolean }) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const items = await hub.get('/attention')
      print(json === true ? JSON.stringify(items, null, 2) : formatAttention(items, new Date()))
      if (items.some(({ severity }) => severity === 'error')) process.exitCode = 1
    })
}

/** One paragraph for each item: what it is and since when, then what to do. */
export function formatAttention (items: readonly AttentionItem[], now: Date): string {
  if (items.length === 0) return 'nothing needs a person'
  return items.map(({ severity, title, since, detail }) => {
    const age = since === null ? '' : ` (for ${describeLength(now.getTime() - Date.parse(since))})`
    return escapeUnprintable(`${severity.padEnd(8)} ${title}${age}`) + `\n         ${escapeUnprintable(detail)}`
  }).join('\n')
}
