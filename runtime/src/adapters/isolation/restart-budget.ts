export interface RestartBudget {
  /** Counts one more death. Returns false when there were too many. */
  spend(): boolean
  /** Whether a death was counted in the window that ends now. */
  isTouched(): boolean
}

/** Allows `most` deaths in any stretch of `windowMs`. */
export function createRestartBudget ({ most, windowMs, now }: {
  most: number,
  windowMs: number,
  now: () => number
}): RestartBudget {
  let deaths: number[] = []
  const recent = (): number[] => {
    deaths = deaths.filter(time => now() - time < windowMs)
    return deaths
  }
  return {
    spend () {
      recent().push(now())
      return deaths.length <= most
    },
    isTouched: () => recent().length > 0
  }
}
