import type { Mode } from '../support/modes.ts'

/** The choices of the command line, which a benchmark is run with. */
export interface BenchContext<Name extends string = string> {
  /** The modes to measure. A benchmark of one part without a hub ignores them. */
  modes: readonly Mode[]
  environment: NodeJS.ProcessEnv
  /** How often each row of a table is measured. */
  runs: number
  options: Readonly<Record<Name, number>>
}

/** A benchmark: one program of `npm run bench`. It prints tables; only `console` has limits. */
export interface Bench {
  name: string
  /** Its options, whole numbers, with their defaults. */
  options: Readonly<Record<string, number>>
  run(context: BenchContext): Promise<void>
}

/** Returns the definition, with its options known by name. */
export function defineBench<Name extends string = never> (bench: {
  name: string,
  options?: Readonly<Record<Name, number>>,
  run(context: BenchContext<Name>): Promise<void>
}): Bench {
  const { name, options = {} as Readonly<Record<Name, number>>, run } = bench
  return { name, options, run: context => run({ ...context, options: { ...options, ...context.options } }) }
}
