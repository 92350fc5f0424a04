import { Option, type Command } from 'commander'
import type { DevOptions } from './dev/run-dev.ts'
import { collect } from './pauses.ts'

export function addDev (program: Command): void {
  program.command('dev')
    .description('try an adapter while you write it: run a hub in memory with the adapter of a folder, and let it ' +
      'serve the new code when a file is saved')
    .argument('[folder]', 'folder with the package.json of the adapter', '.')
    .option('--port <port>', 'port to listen on; default: PORT, or a free one when another server has it')
    .option('--upstream <address>', 'address of the platform, which stands for {origin} in the settings')
    .addOption(new Option(
      '--simulator <command>',
      'command that starts a server in place of the platform; the first ' +
        'address that it prints is the upstream'
    ).conflicts('upstream'))
    .option('--with <adapter>', 'package or folder of another adapter; may be given several times', collect)
    .option('--build', 'run the script `build` after each save, and load what `exports` names')
    .option('--data-dir <folder>', 'keep the state in this folder; default: in memory, until the end')
    .action(async (folder: string, options: DevOptions) => {
      // Load the hub only now: the other commands do not keep it in memory.
      const { runDev } = await import('./dev/run-dev.ts')
      await runDev(folder, options)
    })
}
