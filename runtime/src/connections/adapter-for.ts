import { markedMembers } from '@linker/sdk/host'
import type { LoadedAdapter } from '../adapters/load.ts'
import type { Registry } from '../adapters/registry.ts'
import { UnknownPlatformError } from '../errors.ts'
import type { Connection } from './entity.ts'
import { refusal } from './validate.ts'

/** The adapter for what a client asks; a key or version that does not exist is the client's mistake here, hence a 400. */
export function adapterFor (registry: Registry, platformType: string, adapterKey: string | undefined, adapterVersion: string | null | undefined): LoadedAdapter {
  if (!registry.platforms().includes(platformType)) throw new UnknownPlatformError(platformType, registry.platforms().join(', ') || 'none')
  const key = adapterKey ?? registry.defaultKey(platformType)
  if (key === undefined) throw refusal([{ pointer: '/adapterKey', code: 'required', message: `is required: several adapters serve '${platformType}' and no default is configured` }])
  const installed = registry.versions(key)
  if (installed.length === 0) throw refusal([{ pointer: '/adapterKey', code: 'enum', message: `'${key}' is not registered; registered: ${registry.keys().join(', ')}` }])
  const adapter = registry.find(key, adapterVersion)
  const problems = [
    ...installed.some(({ manifest }) => manifest.platformType === platformType) ? [] : [{ pointer: '/adapterKey', code: 'platform', message: `'${key}' serves platform '${installed[0]?.manifest.platformType}'` }],
    ...adapter === undefined ? [{ pointer: '/adapterVersion', code: 'enum', message: `no version of '${key}' that serves fits '${adapterVersion ?? 'latest'}'; installed: ${installed.map(({ version }) => version).join(', ')}` }] : []
  ]
  if (adapter === undefined || problems.length > 0) throw refusal(problems)
  return adapter
}

/** What a connection keeps of its adapter, which may be missing when it is needed: how its webhooks are checked, read and mapped, and what of its config is secret. */
export function keptOf ({ description: { webhooks, config } }: LoadedAdapter): Pick<Connection, 'webhookScheme' | 'webhookEvents' | 'webhookBody' | 'secretMembers'> {
  return {
    webhookScheme: webhooks?.scheme ?? 'hmac',
    webhookEvents: webhooks?.events === undefined ? null : { ...webhooks.events },
    webhookBody: webhooks?.body ?? null,
    secretMembers: [...markedMembers(config)]
  }
}
