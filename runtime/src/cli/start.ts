import type { Command } from 'commander'
import { flushCompileCache } from 'node:module'
import { createProgress } from '../terminal/progress.ts'
import { releaseStartMemory } from './release-start-memory.ts'

export function addStart (program: Command): void {
  program.command('start')
    .description('run the hub')
    .option('--role <role>', 'all, http or worker (LINKER_ROLE)')
    .option('--port <port>', 'port to listen on (PORT)')
    .option('--frozen', 'do not start when the adapters differ from linker.lock (LINKER_FROZEN)')
    .action(async (options: { role?: string, port?: string, frozen?: boolean }) => {
      const environment = {
        ...process.env,
        ...(options.role === undefined ? {} : { LINKER_ROLE: options.role }),
        ...(options.port === undefined ? {} : { PORT: options.port }),
        ...(options.frozen === undefined ? {} : { LINKER_FROZEN: 'on' })
      }
      const { readConfig } = await import('../config.ts')
      readConfig(environment, process.cwd())
      console
        .log('Linker starts: it loads the adapters and opens its database; the first start takes some seconds\n')
      // Load the server only now: the hub reports wrong settings at once, and the other commands do
      // not keep the server in memory.
      const progress = createProgress(process.stdout)
      progress('loading the hub')
      const { startServer } = await import('../server.ts')
      await startServer(environment, process.cwd(), progress).catch((error: unknown) => {
        throw describeListenError(error)
      })
      // Write the compile cache now. Node writes it at the end of the process, but a hub may be
      // killed.
      flushCompileCache()
      releaseStartMemory()
    })
}

/** Names the settings to correct when the hub cannot listen on its address. */
function describeListenError (error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error && error.syscall === 'listen')) return error
  return new Error(`${error.message}; set HOST and PORT (or --port) to another address`, { cause: error })
}
