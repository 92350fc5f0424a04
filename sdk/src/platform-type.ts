/** The one grammar of a platform name, in manifests, connections and webhook addresses. */
export const platformTypePattern = '^[a-z][a-z0-9-]{0,31}$'

/**
 * The first words of the hub's own job types. No platform has such a name: the hub would look for
 * its jobs among its own.
 */
export const reservedPlatformTypes: readonly string[] = ['fulfilment', 'inventory', 'marketplace', 'master']
