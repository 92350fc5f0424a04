const mostPerName = 50

/** Texts and ids of earlier answers, so that requests are about things that exist. */
export interface KnownValues {
  /** Remembers the values of an answer to a request for `path`, a path of the description. */
  learn(path: string, answer: unknown): void
  /** Returns one of the fitting values that were last seen under a name, if there is one. */
  pick(name: string, index: number, fits: (value: string) => boolean): string | undefined
}

/**
 * Returns what a member is called among the known values: `connectionId` and the `id` of
 * `/connections/{id}/pause` are both 'connection id'.
 */
export function nameOf (member: string, path: string): string {
  if (member === 'provider') return 'platform type'
  const words = member.split(/-|(?=[A-Z])/)
  if (words.length > 1) return words.join(' ').toLowerCase()
  const [before = path] = path.split(`/{${member}}`)
  const things = before.split('/').filter(segment => !segment.startsWith('{')).map(singular)
  // `/adapters/{key}/versions/{version}` is about an adapter's version.
  return `${things.findLast(thing => thing !== member) ?? ''} ${member}`
}

const singular = (list: string): string => list.replace(/^.*-/, '').replace(/ies$/, 'y').replace(/s$/, '')

export function createKnownValues (): KnownValues {
  const byName = new Map<string, string[]>()

  function remember (name: string, value: string): void {
    const values = byName.get(name) ?? []
    byName.set(name, values)
    if (!values.includes(value)) values.unshift(value)
    values.length = Math.min(values.length, mostPerName)
  }

  function learn (path: string, answer: unknown): void {
    if (Array.isArray(answer)) { for (const item of answer) learn(path, item) }
    else if (typeof answer === 'object' && answer !== null) {
      for (const [member, value] of Object.entries(answer)) {
        if (typeof value === 'string') remember(nameOf(member, path), value)
        else learn(path, value)
      }
    }
  }

  return {
    learn,
    pick (name, index, fits) {
      const values = (byName.get(name) ?? []).filter(fits)
      return values[index % values.length]
    }
  }
}
