/**
 * Makes a schedule of later work by the simulator's clock. `catchUp`, which every read calls, does
 * the work that is due, earliest first.
 */
export function createSchedule (now: () => Date) {
  let planned: Array<{ at: number, work: () => void }> = []
  let isCatchingUp = false

  function plan (at: number, work: () => void): void {
    planned.push({ at, work })
  }

  function catchUp (): void {
    // Work reads too, and so calls this again, at a later time. Without this line, newly due work
    // would be done before work that was due earlier.
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
