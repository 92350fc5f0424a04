import type { ForeignPackage } from './project.ts'

interface Feedshop {
  name?: string
  version?: string
  adapterKey?: string
  capabilities?: string[]
  permissions?: object
}

/** The manifest of a small adapter by a third party. */
export function feedshopManifest ({
  name = '@acme/adapter-feedshop-v1',
  version = '1.0.0',
  adapterKey = 'feedshop.api.v1',
  capabilities = [],
  permissions
}: Feedshop = {}): ForeignPackage['manifest'] {
  return {
    name,
    version,
    engines: { linker: '^0.1.0' },
    linker: {
      adapterKey,
      platformType: 'feedshop',
      displayName: 'Feedshop',
      capabilities,
      permissions
    }
  }
}
