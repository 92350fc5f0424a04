/**
 * Work that is done later, by the simulator's clock: whatever is due is caught up with when
 * somebody looks, the earliest first.
 */
export function createSchedule (now: () => Date) {
  let planned: Array<{ at: number, work: () => void }> = []
  let isCatchingUp = false

  function plan (at: number, work: () => void): void {
    planned.push({ at, work })
  }

  function catchUp (): void {
    // Work looks as well, at a later moment: what became due meanwhile would be done before what
    // was due already.
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
