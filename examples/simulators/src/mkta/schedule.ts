/**
 * Plans work for later times of the simulator's clock. Every read calls `catchUp`, which does the
 * work that is due, the earliest first.
 */
export function createSchedule (now: () => Date) {
  let planned: Array<{ at: number, work: () => void }> = []
  let isCatchingUp = false

  function plan (at: number, work: () => void): void {
    planned.push({ at, work })
  }

  function catchUp (): void {
    // Planned work reads too, so it calls this function again at a slightly later time. Without
    // this line, the inner call would do newly due work before work that was due earlier.
    if (isCatchingUp) return
    isCatchingUp = true
    try {
      const time = now().getTime()
      const due = planned.filter(({ at }) => at <= time).sort((a, b) => a.at - b.at)
      planned = planned.filter(({ at }) => at > time)
      for (const { work } of due) work()
    } finally {
      isCatchingUp = false
    }
  }

  return { plan, catchUp }
}

export type Schedule = ReturnType<typeof createSchedule>
