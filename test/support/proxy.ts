import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import type { Test } from 'tap'

export interface Proxy {
  /** `url` with the address of the proxy. */
  url: string
  /** Breaks every connection and refuses new ones. */
  cut (): void
  mend (): void
  /** Passes nothing on any more on the connections that there are, and closes none of them. New ones work. */
  silence (): void
}

/** A way to a server that can be cut. */
export async function openProxy (t: Test, url: string): Promise<Proxy> {
  const target = new URL(url)
  const defaultPort = target.protocol.startsWith('redis') ? 6379 : 5432
  const sockets = new Set<Socket>()
  let isCut = false

  const server = createServer(downstream => {
    const upstream = connect({ host: target.hostname, port: target.port === '' ? defaultPort : Number(target.port) })
    for (const [socket, other] of [[downstream, upstream], [upstream, downstream]] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined).once('close', () => {
        sockets.delete(socket)
        other.destroy()
      }).pipe(other)
    }
    if (isCut) downstream.resetAndDestroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })

  const proxied = new URL(url)
  proxied.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: proxied.href,
    cut () {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    mend () { isCut = false },
    silence () {
      // What is not read stays in the buffers of the system: neither side hears of it.
      for (const socket of sockets) socket.unpipe().pause()
    }
  }
}
