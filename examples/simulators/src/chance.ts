/** `true`: always; `false`: never; a number: with this probability. */
export type Chance = boolean | number

/** Makes numbers from 0 to 1. The same seed gives the same ones, so a run with faults repeats. */
export function createRandom (seed: number): () => number {
  // mulberry32
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Decides a chance. Takes a number from `random` only for a probability. */
export function happens (chance: Chance, random: () => number): boolean {
  return typeof chance === 'boolean' ? chance : random() < chance
}
