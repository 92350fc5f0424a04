/** An address of an adapter that may be a link: only https. Its host is shown beside it. */
export function safeLink (address: unknown): { href: string, host: string } | undefined {
  const url = typeof address === 'string' ? URL.parse(address) : null
  return url?.protocol === 'https:' ? { href: url.href, host: url.host } : undefined
}

interface Extras {
  links?: unknown
  icon?: unknown
  hasChangelog?: unknown
}

/** The links, icon and changelog of an adapter, as far as this hub serves them. */
export function extrasOf (adapter: object): {
  links: readonly { name: string, href: string, host: string }[],
  /** The path of its icon at this hub. */
  icon: string | undefined,
  hasChangelog: boolean
} {
  const { links, icon, hasChangelog } = adapter as Extras
  const named = typeof links === 'object' && links !== null ? Object.entries(links) : []
  return {
    links: named.flatMap(([name, address]) => {
      const link = safeLink(address)
      return link === undefined ? [] : [{ name, ...link }]
    }),
    icon: typeof icon === 'string' && icon.startsWith('/adapters/') ? icon : undefined,
    hasChangelog: hasChangelog === true
  }
}
