import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import type { Test } from 'tap'

export interface Registry {
  url: string
  /** The requests so far, such as `GET /feedshop`. */
  requests: readonly string[]
  /** Makes a tarball the newest version of a package. */
  publish(name: string, version: string, tarball: string): Promise<void>
}

/** Packages of other people that a registry serves besides those that a test publishes. */
export interface PackageSource {
  /** Version → the package.json of the version, the newest last. Empty for an unknown package. */
  versionsOf(name: string): Readonly<Record<string, object>>
  open(name: string, version: string): Promise<Readable>
}

const none: PackageSource = {
  versionsOf: () => ({}),
  open: async name => {
    throw new Error(`there is no ${name}`)
  }
}

/** Starts a registry of npm packages on this machine, without any package but those of `others`. */
export async function startRegistry (t: Test, others = none): Promise<Registry> {
  const requests: string[] = []
  const documents = new Map<string, object>()
  const tarballs = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1)
    requests.push(`${request.method} /${path}`)
    const [, name = path, version] = /^(.+)\/-\/(.+)\.tgz$/.exec(path) ?? []
    const tarball = tarballs.get(path)
    if (tarball !== undefined) {
      response.end(tarball)
      return
    }
    if (version !== undefined && others.versionsOf(name)[version] !== undefined) {
      others.open(name, version).then(content => content.pipe(response), () => response.destroy())
      return
    }
    const document = documents.get(path) ?? documentOf(path, others.versionsOf(path))
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(document ?? { error: 'not found' }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  function documentOf (name: string, versions: Readonly<Record<string, object>>): object | undefined {
    const latest = Object.keys(versions).at(-1)
    if (latest === undefined) return undefined
    const served = Object.entries(versions).map(([version, manifest]) => {
      return [version, { ...manifest, name, version, dist: { tarball: `${url}/${name}/-/${version}.tgz` } }]
    })
    return { name, 'dist-tags': { latest }, versions: Object.fromEntries(served) }
  }

  return {
    url,
    requests,
    async publish (name, version, tarball) {
      const content = await readFile(tarball)
      const path = `${name}/-/${version}.tgz`
      const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`
      const dist = { tarball: `${url}/${path}`, integrity }
      tarballs.set(path, content)
      documents.set(name, {
        name,
        'dist-tags': { latest: version },
        versions: { [version]: { ...await readManifest(tarball), name, version, dist } }
      })
    }
  }
}

/** npm reads dependencies and commands of a package from the registry, not from the tarball. */
async function readManifest (tarball: string): Promise<object> {
  const { stdout } = await promisify(execFile)('tar', ['-xzOf', tarball, 'package/package.json'])
  return JSON.parse(stdout) as object
}
