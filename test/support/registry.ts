import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

export interface Registry {
  url: string
  /** The requests so far, such as `GET /feedshop`. */
  requests: readonly string[]
  /** Makes a tarball the newest version of a package. */
  publish(name: string, version: string, tarball: string): Promise<void>
}

/** Starts a registry of npm packages on this machine, without any package. */
export async function startRegistry (t: Test): Promise<Registry> {
  const requests: string[] = []
  const documents = new Map<string, object>()
  const tarballs = new Map<string, Buffer>()
  const server = createServer(({ method, url = '' }, response) => {
    requests.push(`${method} ${decodeURIComponent(url)}`)
    const path = decodeURIComponent(url).slice(1)
    const [document, tarball] = [documents.get(path), tarballs.get(path)]
    response.statusCode = document === undefined && tarball === undefined ? 404 : 200
    response.setHeader('content-type', tarball === undefined ? 'application/json' : 'application/octet-stream')
    response.end(tarball ?? JSON.stringify(document ?? { error: 'not found' }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    requests,
    async publish (name, version, tarball) {
      const content = await readFile(tarball)
      const path = `${name}/-/${version}.tgz`
      const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`
      tarballs.set(path, content)
      documents.set(name, {
        name,
        'dist-tags': { latest: version },
        versions: { [version]: { name, version, dist: { tarball: `${url}/${path}`, integrity } } }
      })
    }
  }
}
