import type { Command } from 'commander'

export function addAdapters (program: Command): void {
  program.command('adapters')
    .description('load the adapters of this project as `start` would, and list them; exits with 1 when one fails')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { listAdapters } = await import('./list-adapters.ts')
      const areUsable = await listAdapters(options.json === true)
      // End the process here: the answer is complete, and the import of an adapter may have left a
      // timer or a socket behind.
      process.exit(areUsable ? 0 : 1)
    })
}
