import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { Test } from 'tap'

export interface Proxy {
  /** The URL of the server with the host and port of the proxy in place of its own. */
  url: string
  /** Closes every open connection. Accepts new connections and resets them at once. */
  cut(): void
  /** Lets new connections work again after `cut`. Does not undo `silence` and `damage`. */
  mend(): void
  /**
   * Stops the traffic on open connections, so that neither side hears anything of the other, not
   * even that it closes the connection. New connections work.
   */
  silence(): void
  /**
   * Stops the traffic on each connection, open or new, when its client sends this text. Resolves
   * when the first connection is silent.
   */
  silenceAfter(text: string): Promise<void>
  /** New connections go to another server. Open ones stay where they are. */
  redirect(url: string): void
  /**
   * Passes every chunk that the server sends on an open connection through `change`. New
   * connections work.
   */
  damage(change: (bytes: Buffer) => Buffer): void
}

/** A change for `damage`: replaces every byte of a chunk by another byte. */
export const garbled = (bytes: Buffer): Buffer => Buffer.from(bytes.map(byte => byte ^ 0x55))
/** A change for `damage`: drops the first three bytes of a chunk. */
export const shortened = (bytes: Buffer): Buffer => bytes.subarray(3)

/** Opens a proxy in front of a server. A test can break the connections that go through it. */
export async function openProxy (t: Pick<Test, 'teardown'>, url: string): Promise<Proxy> {
  let target = new URL(url)
  const defaultPort = target.protocol.startsWith('redis') ? 6379 : 5432
  const sockets = new Set<Socket>()
  const silent = new WeakSet<Socket>()
  const pairs = new Map<Socket, Socket>()
  let isCut = false
  let last: { text: string, onSilent: () => void } | undefined

  /** Unread bytes stay in the buffers of the operating system, so neither side sees an error. */
  function silence (socket: Socket): void {
    silent.add(socket)
    socket.unpipe().pause()
  }

  const server = createServer(downstream => {
    const upstream = connect({ host: target.hostname, port: target.port === '' ? defaultPort : Number(target.port) })
    for (const [socket, other] of [[downstream, upstream], [upstream, downstream]] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined).once('close', () => {
        sockets.delete(socket)
        if (!silent.has(socket)) other.destroy()
      }).pipe(other)
    }
    downstream.on('data', (bytes: Buffer) => {
      if (last === undefined || !bytes.includes(last.text)) return
      for (const socket of [downstream, upstream]) silence(socket)
      last.onSilent()
    })
    pairs.set(upstream, downstream)
    upstream.once('close', () => {
      pairs.delete(upstream)
    })
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
    mend () {
      isCut = false
    },
    silence () {
      for (const socket of sockets) silence(socket)
    },
    silenceAfter: text =>
      new Promise(resolve => {
        last = { text, onSilent: resolve }
      }),
    redirect (other) {
      target = new URL(other)
    },
    damage (change) {
      for (const [upstream, downstream] of pairs) {
        upstream.unpipe().on('data', (bytes: Buffer) => {
          downstream.write(change(bytes))
        }).resume()
      }
    }
  }
}
