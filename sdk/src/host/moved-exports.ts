const moved: ReadonlyMap<string, string> = new Map([
  ...['createAddressPolicy', 'createHttpClientFactory'].map(name => [name, '@linker/sdk/host'] as const),
  ...['escapeHtmlText', 'htmlTokens'].map(name => [name, '@linker/sdk/html'] as const)
])

// Node has no code for it.
const missingExport = /^The requested module '@linker\/sdk' does not provide an export named '([^']+)'/

/**
 * Says where an adapter finds what it wanted from the root of the SDK, when its import failed
 * because an earlier version exported that there. Undefined for any other failure.
 */
export function explainMovedExport (message: string): string | undefined {
  const [, name = ''] = missingExport.exec(message) ?? []
  const path = moved.get(name)
  return path === undefined ? undefined : `it imports \`${name}\` from '@linker/sdk', which has moved to '${path}'`
}
