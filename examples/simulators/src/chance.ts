/**
 * How often something happens. `true` means always, `false` means never, and a number is the
 * probability.
 */
export type Chance = boolean | number

/**
 * Returns a function that makes numbers from 0 up to, but not including, 1. Equal seeds give equal
 * numbers, so that a run with random faults can be repeated.
 */
export function createRandom (seed: number): () => number {
  // This algorithm is known as mulberry32.
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Decides whether something happens this time. Takes a number from `random` only if the chance is a
 * probability.
 */
export function happens (chance: Chance, random: () => number): boolean {
  return typeof chance === 'boolean' ? chance : random() < chance
}
