import type { Command } from 'commander'
import { print } from '../terminal/print.ts'

export function addConfig (program: Command): void {
  program.command('config').description('settings of the hub')
    .option('--explain', 'list every variable of the environment')
    .action(async () => {
      const { explainEnvironment } = await import('../config.ts')
      print(explainEnvironment().join('\n'))
    })
}
