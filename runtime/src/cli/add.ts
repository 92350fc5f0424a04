import type { Command } from 'commander'

export function addAdd (program: Command): void {
  program.command('add')
    .description('install an adapter with the package manager of this project, without install scripts, and load it; ' +
      'undo the install when the adapter does not load')
    .argument(
      '<package>',
      'name, name@version, alias@npm:name@version, or the path of a folder or tarball, after ' +
        'alias@ if it gets another name'
    )
    .option('--yes', 'agree to permissions that linker.lock does not record yet')
    .option('--replace', 'put it in the place of another version that the project has under the same name')
    .action(async (given: string, options: { yes?: boolean, replace?: boolean }) => {
      const { installAdapter } = await import('./install-adapter.ts')
      await installAdapter(given, options)
      // End the process here: the answer is complete, and the import of an adapter may have left a
      // timer or a socket behind.
      process.exit(0)
    })
}
