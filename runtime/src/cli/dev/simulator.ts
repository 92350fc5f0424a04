import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import pTimeout from 'p-timeout'
import { HubError } from '../hub-client.ts'

/** A server that stands for the platform. */
export interface Simulator {
  /** The address that it printed, without a path. */
  origin: string
  stop(): void
}

const startMs = 60_000
const mostLines = 20

/**
 * Runs a command that starts a server which stands for the platform, and waits for the first
 * address that it prints.
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
      if (isGroup) process.kill(-child.pid, 'SIGTERM')
      else child.kill()
    } catch {
      // It has just ended.
    }
  }

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
