export interface Strikes {
  add(key: string): void
  /** Whether a key has had its strikes within the window that ends now. */
  isOut(key: string): boolean
}

/** Counts the strikes of each key; `most` of them within `windowMs` put it out. */
export function createStrikes ({ most, windowMs, now }: {
  most: number,
  windowMs: number,
  now: () => number
}): Strikes {
  const times = new Map<string, readonly number[]>()

  function recent (key: string): readonly number[] {
    const kept = (times.get(key) ?? []).filter(time => now() - time < windowMs)
    if (kept.length === 0) times.delete(key)
    return kept
  }

  return {
    add (key) {
      times.set(key, [...recent(key), now()].slice(-most))
    },
    isOut: key => recent(key).length >= most
  }
}
