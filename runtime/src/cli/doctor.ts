import type { Command } from 'commander'
import { print } from '../terminal/print.ts'
import { createProgress } from '../terminal/progress.ts'
import { withToken } from './connections.ts'
import { describeFinding } from './doctor/finding.ts'
import type { HubOptions } from './hub-client.ts'

export function addDoctor (program: Command): void {
  withToken(program.command('doctor')
    .description('check what the next start would use: settings, servers, adapters, connections and jobs; works with ' +
      'and without a running hub, changes nothing, exits with 1 when a check fails')
    .option('--url <url>', 'address of the hub; default: the hub of this folder, whatever LINKER_URL says')
    .option('--json', 'print JSON'))
    .action(async (options: HubOptions & { json?: boolean }) => {
      const { examine } = await import('./doctor/examine.ts')
      const findings = await examine(options, createProgress(process.stderr))
      const isWell = !findings.some(({ mark }) => mark === 'failed')
      print(options.json === true
        ? JSON.stringify({ ok: isWell, checks: findings }, null, 2)
        : findings.map(finding => describeFinding(finding)).join('\n'))
      // End the process here: the answer is complete, and the import of an adapter may have left a
      // timer or a socket behind.
      process.exit(isWell ? 0 : 1)
    })
}
