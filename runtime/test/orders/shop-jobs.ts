import type { HandlerServices } from '../../src/handlers/call-adapter.ts'

/** Returns the services with adapters of the platform `shop` that have these jobs of their own. */
export function withShopJobs (
  services: HandlerServices,
  jobTypes: readonly string[],
  webhookEvents: Readonly<Record<string, string>> | null = null
): HandlerServices {
  const openEnabled: HandlerServices['connections']['openEnabled'] = async id => {
    const opened = await services.connections.openEnabled(id)
    const { connection, adapter } = opened
    return {
      ...opened,
      connection: { ...connection, platformType: 'shop', webhookEvents },
      adapter: {
        ...adapter,
        description: { ...adapter.description, jobs: Object.fromEntries(jobTypes.map(name => [name, {}])) }
      }
    }
  }
  return { ...services, connections: { ...services.connections, openEnabled } }
}
