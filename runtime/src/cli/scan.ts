import type { Command } from 'commander'
import type { ScanOptions } from './record-adapters.ts'

export function addScan (program: Command): void {
  program.command('scan')
    .description('load the adapters of this project as `start` would, list them, and record their files and ' +
      'permissions in linker.lock')
    .option(
      '--check',
      'write nothing; exit with 1 before loading any adapter when the adapters differ from linker.lock'
    )
    .option('--yes', 'agree to permissions that linker.lock does not record yet')
    .action(async (options: ScanOptions) => {
      const { recordAdapters } = await import('./record-adapters.ts')
      const isDone = await recordAdapters(options)
      // End the process here: the answer is complete, and the import of an adapter may have left a
      // timer or a socket behind.
      process.exit(isDone ? 0 : 1)
    })
}
