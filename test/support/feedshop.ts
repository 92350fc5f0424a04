import type { ForeignPackage } from './project.ts'

interface Feedshop {
  name?: string
  version?: string
  capabilities?: string[]
  permissions?: object
}

/** The manifest of `feedshop.api.v1`, a small adapter by a third party. */
export function feedshopManifest ({
  name = '@acme/adapter-feedshop-v1',
  version = '1.0.0',
  capabilities = [],
  permissions
}: Feedshop = {}): ForeignPackage['manifest'] {
  return {
    name,
    version,
    engines: { linker: '^0.1.0' },
    linker: {
      adapterKey: 'feedshop.api.v1',
      platformType: 'feedshop',
      displayName: 'Feedshop',
      capabilities,
      permissions
    }
  }
}
