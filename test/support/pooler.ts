import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { eventually } from './api.ts'
import { freePort } from './free-port.ts'

export interface Pooler {
  /** The URL of the server with the host and port of the pooler in place of its own. */
  url: string
  /** Kills it and starts it again after a time. Its clients lose their connections. */
  restart(downMs: number): Promise<void>
  close(): Promise<void>
}

/**
 * Starts PgBouncer in front of a server. `settings` are lines of its configuration; the default
 * gives each client a session of its own.
 */
export async function startPooler (serverUrl: string, settings: Record<string, string | number>): Promise<Pooler> {
  const { hostname, port: serverPort, username } = new URL(serverUrl)
  const port = await freePort()
  const directory = await mkdtemp(join(tmpdir(), 'linker-pooler-'))
  const [users, configuration] = [join(directory, 'users.txt'), join(directory, 'pgbouncer.ini')]
  const lines = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
    pool_mode: 'session',
    ...settings
  }
  await writeFile(users, `"${username}" ""\n`)
  await writeFile(
    configuration,
    [
      '[databases]',
      `* = host=${hostname} port=${serverPort === '' ? 5432 : serverPort}`,
      '[pgbouncer]',
      ...Object.entries(lines).map(([name, value]) => `${name} = ${value}`)
    ].join('\n')
  )
  await chmod(directory, 0o755)
  const log: string[] = []
  let process_ = await start()

  async function start (): Promise<ChildProcess> {
    // It refuses to run as root.
    const args = process.getuid?.() === 0 ? ['-u', 'nobody', configuration] : [configuration]
    const child = spawn('pgbouncer', args, { stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr.on('data', (text: Buffer) => {
      log.push(String(text))
    })
    await eventually('the pooler to listen', async () => {
      if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}: ${log.join('')}`)
      return await answers(port) || undefined
    })
    return child
  }

  async function kill (): Promise<void> {
    const exited = once(process_, 'exit')
    process_.kill('SIGKILL')
    await exited
  }

  const url = new URL(serverUrl)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    async restart (downMs) {
      await kill()
      await wait(downMs)
      process_ = await start()
    },
    async close () {
      await kill()
      await rm(directory, { recursive: true })
    }
  }
}

async function answers (port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
