import type { Command } from 'commander'
import { flushCompileCache } from 'node:module'
import { readConfig } from '../config.ts'

export function addStart (program: Command): void {
  program.command('start')
    .description('run the hub')
    .option('--role <role>', 'all, http or worker (LINKER_ROLE)')
    .option('--port <port>', 'port to listen on (PORT)')
    .option('--frozen', 'not when the adapters differ from linker.lock (LINKER_FROZEN)')
    .action(async (options: { role?: string, port?: string, frozen?: boolean }) => {
      const environment = {
        ...process.env,
        ...(options.role === undefined ? {} : { LINKER_ROLE: options.role }),
        ...(options.port === undefined ? {} : { PORT: options.port }),
        ...(options.frozen === undefined ? {} : { LINKER_FROZEN: 'on' })
      }
      readConfig(environment, process.cwd())
      console
        .log('Linker starts: it loads the adapters and opens its database; the first time that takes some seconds\n')
      // Only now: wrong settings are told at once, and the other commands do without the hub in
      // memory.
      const { startServer } = await import('../server.ts')
      await startServer(environment, process.cwd()).catch((error: unknown) => {
        throw describeListenError(error)
      })
      // Written now, and not at the end as Node does: a hub may be killed.
      flushCompileCache()
    })
}

/** Says which settings lead to an address that cannot be listened on. */
function describeListenError (error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error && error.syscall === 'listen')) return error
  return new Error(`${error.message}; HOST and PORT (or --port) say where the hub listens`, { cause: error })
}
