import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import pTimeout from 'p-timeout'
import { HubError } from '../hub-client.ts'

/** A server that stands for the platform. */
export interface Simulator {
  /** The address that it printed, without a path. */
  origin: string
  /** Ends it and what it started. The exit of this process does the same. */
  stop(): void
}

const startMs = 60_000
const mostLines = 20
/**
 * Kills a group of processes that still runs after two seconds. A process of its own: a process
 * that exits cannot wait.
 */
const killLater = 'for second in 1 2; do sleep 1; kill -0 -"$0" || exit 0; done; kill -KILL -"$0"'

/**
 * Runs a command that starts a server which stands for the platform, and waits for the first
 * address that it prints. The server ends with this process.
 */
export async function startSimulator (command: string, directory: string): Promise<Simulator> {
  // A group of its own: the shell starts the server, and one signal ends both.
  const isGroup = process.platform !== 'win32'
  const child = spawn(command, { cwd: directory, shell: true, detached: isGroup, stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  const { promise: printed, resolve } = Promise.withResolvers<string>()
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', line => {
      if (lines.push(line) > mostLines) lines.shift()
      const origin = /https?:\/\/[\w.:[\]-]+/.exec(line)?.[0]
      if (origin !== undefined) resolve(origin)
    })
  }

  function stop (): void {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
    try {
      if (!isGroup) {
        child.kill()
        return
      }
      process.kill(-child.pid, 'SIGTERM')
    } catch {
      // It has just ended.
      return
    }
    spawn('sh', ['-c', killLater, String(child.pid)], { detached: true, stdio: 'ignore' }).unref()
  }

  // The signals of the terminal do not reach the group.
  process.once('exit', stop)
  child.once('close', () => {
    process.off('exit', stop)
  })

  const ended = once(child, 'close').then(([code]) => {
    throw new HubError(`'${command}' ended with ${code} before it printed an address:\n${lines.join('\n')}`)
  })
  // Nobody waits for its end when it has started.
  ended.catch(() => undefined)
  try {
    const origin = await pTimeout(Promise.race([printed, ended]), {
      milliseconds: startMs,
      message: `'${command}' printed no address such as http://127.0.0.1:4700`
    })
    return { origin, stop }
  } catch (error) {
    stop()
    throw error
  }
}
