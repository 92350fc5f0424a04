/**
 * Makes a clock that runs `speed` times as fast as `base` and that `advance` moves on. At speed 60,
 * the sender's windows last a second.
 */
export function createClock ({ speed = 1, base = () => new Date() }: { speed?: number, base?: () => Date } = {}) {
  const startedAt = base().getTime()
  let movedMs = 0

  function now (): Date {
    return new Date(startedAt + (base().getTime() - startedAt) * speed + movedMs)
  }

  function advance (ms: number): void {
    movedMs += ms
  }

  return { now, advance }
}

export type Clock = ReturnType<typeof createClock>
