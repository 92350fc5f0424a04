/** The parts of a version, the gravest first. */
export const steps = ['major', 'minor', 'patch'] as const
export type Step = typeof steps[number]

/** A difference between two versions of an adapter, and the step of the version that it needs. */
export interface Change {
  step: Step
  /** The part of the adapter: `capability ProductMaster`, or a member such as `config /feedKey`. */
  place: string
  message: string
}

/** The gravest step of some changes. Without a change, the code may differ: a patch. */
export function gravestOf (changes: readonly Pick<Change, 'step'>[]): Step {
  return steps.find(step => changes.some(change => change.step === step)) ?? 'patch'
}
