import { capabilityUnavailable } from '@linker/sdk/host'
import type { CalledConnection } from '../../adapters/capability-calls.ts'
import type { Connections } from '../connections.ts'
import { refusePaused } from '../pauses/refuse-paused.ts'
import { refuseUnknown } from './invoke.ts'

/**
 * Opens a connection whose capability an adapter calls. The same states stop it that stop a job of
 * the connection, and credentials that the platform refuses put it into `error`.
 */
export async function openCalled (
  connections: Pick<Connections, 'openEnabled' | 'suspend'>,
  connectionId: string,
  capability: string,
  method: string
): Promise<CalledConnection> {
  const opened = await connections.openEnabled(connectionId)
  const { connection, adapter, snapshot } = opened
  refuseUnknown(opened, capability, method)
  refusePaused(connection, [capability])
  if (connection.status === 'error') {
    const reason = connection.statusReason ?? 'the platform refused its credentials'
    throw capabilityUnavailable({ connectionId, capability }, reason)
  }
  return {
    adapter,
    snapshot,
    pin: { adapterKey: connection.adapterKey, adapterVersion: connection.adapterVersion ?? null },
    refuse: refusal => connections.suspend(refusal, refusal.message)
  }
}
