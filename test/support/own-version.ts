import manifest from '@linker/adapter-shopa-v1/package.json' with { type: 'json' }

/** The version of the packages of this repository, which all have the same. */
export const ownVersion: string = manifest.version
