/** A step of a start and how long it took, in milliseconds. */
export interface StartStep {
  step: string
  ms: number
}

/** Measures how long each step of a start takes. */
export interface StartWatch {
  /** Ends the present step and begins another one. */
  begin(step: string): void
  end(): void
  /** The steps that have ended. */
  steps(): StartStep[]
}

/** `loadingMs`: how long the process loaded the hub before. */
export function watchStart (onStep: (step: string) => void, loadingMs?: number): StartWatch {
  const ended: StartStep[] = loadingMs === undefined ? [] : [{ step: 'loading the hub', ms: Math.round(loadingMs) }]
  let present: { step: string, atMs: number } | undefined

  function end (): void {
    if (present !== undefined) ended.push({ step: present.step, ms: Math.round(performance.now() - present.atMs) })
    present = undefined
  }

  return {
    begin (step) {
      end()
      present = { step, atMs: performance.now() }
      onStep(step)
    },
    end,
    steps: () => [...ended]
  }
}
