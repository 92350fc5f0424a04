import { createTestHost, hostContract, probe, probeManifest, type HostUnderTest, type OpenedConnection } from '@linker/sdk/testing'
import t from 'tap'

function openHost (): HostUnderTest {
  const host = createTestHost()
  const opened = new Map<string, OpenedConnection>()
  return {
    async open (credentials) {
      const connection = { id: `connection-${opened.size + 1}` }
      opened.set(connection.id, await host.open({ manifest: probeManifest, definition: probe, connection, config: {}, credentials }))
      return connection.id
    },
    async call (connectionId, { target, args, signal, deadline }) {
      return opened.get(connectionId)?.call(target, args, { signal, ...(deadline === undefined ? {} : { deadline: new Date(deadline) }) })
    },
    credentials: async connectionId => host.credentials[connectionId],
    async setCredentials (connectionId, credentials) { host.setCredentials(connectionId, credentials) },
    jobs: async connectionId => host.jobs.filter(job => job.connectionId === connectionId),
    async pass (ms) { host.clock.advance(ms) },
    now: () => host.clock.now(),
    logs: host.logs,
    count: name => host.counts[name] ?? 0,
    observations: name => host.observations[name] ?? []
  }
}

for (const { name, run } of hostContract) t.test(name, async () => run(openHost()))
