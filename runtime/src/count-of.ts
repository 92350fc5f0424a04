/** A number with its noun: `1 job`, `2 jobs`. */
export function countOf (count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
