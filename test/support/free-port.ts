import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Returns a free port of 127.0.0.1. It is below the range from which the system hands out ports, so
 * it stays free until a process starts on it, or starts again.
 */
export async function freePort (): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000)
    const server = createServer().listen(port, '127.0.0.1')
    if (!await once(server, 'listening').then(() => true, () => false)) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
