import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port of 127.0.0.1 where nothing listens. It is below those that the system gives to everybody
 * who asks for any, so that it is still free while the process that is meant to have it starts, or
 * starts again.
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
