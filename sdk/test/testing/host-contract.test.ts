import {
  createTestHost,
  hostContract,
  otherManifest,
  probe,
  probeManifest,
  type HostUnderTest,
  type OpenedConnection,
  type ProbeCredentials
} from '@linker/sdk/testing'
import t from 'tap'

function openHost (): HostUnderTest {
  const host = createTestHost()
  const opened = new Map<string, OpenedConnection>()
  const routes = new Map<string, OpenedConnection>()
  return {
    async open (credentials, config = {}) {
      const connection = { id: `connection-${opened.size + 1}` }
      opened.set(
        connection.id,
        await host.open({ manifest: probeManifest, definition: probe, connection, config, credentials })
      )
      return connection.id
    },
    async call (connectionId, { target, args, signal, deadline }) {
      return opened.get(connectionId)?.call(target, args, {
        signal,
        ...(deadline === undefined ? {} : { deadline: new Date(deadline) })
      })
    },
    async callRoute ({ target, args, signal, deadline }, platformType) {
      const manifest = platformType === 'probe' ? probeManifest : otherManifest
      const route = routes.get(platformType) ??
        await host.open({
          manifest,
          definition: probe,
          connection: { id: `connection of ${platformType}` },
          config: {},
          credentials: { accessToken: 'a', refreshToken: 'b', expiresAt: 'c' }
        })
      routes.set(platformType, route)
      return route.call(target, args, { signal, ...(deadline === undefined ? {} : { deadline: new Date(deadline) }) })
    },
    async setStatus (connectionId, status) {
      const credentials = host.credentials[connectionId] as ProbeCredentials
      opened.set(
        connectionId,
        await host.open({
          manifest: probeManifest,
          definition: probe,
          connection: { id: connectionId, status },
          config: {},
          credentials
        })
      )
    },
    credentials: async connectionId => host.credentials[connectionId],
    async setCredentials (connectionId, credentials) {
      host.setCredentials(connectionId, credentials)
    },
    jobs: async connectionId => host.jobs.filter(job => job.connectionId === connectionId),
    async pass (ms) {
      host.clock.advance(ms)
    },
    now: () => host.clock.now(),
    logs: host.logs,
    count: name => host.counts[name] ?? 0,
    observations: name => host.observations[name] ?? []
  }
}

for (const { name, run } of hostContract) t.test(name, async () => run(openHost()))
