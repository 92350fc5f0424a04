/**
 * The state of an adapter. Adapters that are `ready` or `degraded` (the worker died lately and was
 * started again) serve. The hub shows the others with their reason and leaves their connections as
 * the operator set them.
 */
export type AdapterState = 'ready' | 'degraded' | 'incompatible' | 'invalid' | 'conflicting' | 'failed' | 'crashed'

/** Listed in sdk/docs/errors.md with cause and remedy. */
export const adapterProblemCodes = [
  'LNK_ADAPTER_NOT_INSTALLED',
  'LNK_ADAPTER_MANIFEST_INVALID',
  'LNK_ADAPTER_INCOMPATIBLE',
  'LNK_ADAPTER_CONFLICT',
  'LNK_ADAPTER_INTEGRITY',
  'LNK_ADAPTER_IMPORT_FAILED',
  'LNK_ADAPTER_IMPORT_TIMEOUT',
  'LNK_ADAPTER_EXITED',
  'LNK_ADAPTER_GLOBALS_PATCHED',
  'LNK_ADAPTER_SHAPE_INVALID',
  'LNK_ADAPTER_PERMISSION',
  'LNK_ADAPTER_ROUTE_CONFLICT',
  'LNK_ADAPTER_INIT_FAILED',
  'LNK_ADAPTER_CRASHED'
] as const
export type AdapterProblemCode = typeof adapterProblemCodes[number]

export interface AdapterProblem {
  state: Exclude<AdapterState, 'ready'>
  code: AdapterProblemCode
  message: string
}

/** Thrown while the hub loads an adapter; becomes the problem of the adapter's record. */
export class LoadError extends Error {
  readonly problem: AdapterProblem

  constructor (problem: AdapterProblem) {
    super(problem.message)
    this.problem = problem
  }
}

/** Makes the error of one adapter, whose message names the package and its folder. */
export type Fail = (state: AdapterProblem['state'], code: AdapterProblemCode, message: string) => LoadError
