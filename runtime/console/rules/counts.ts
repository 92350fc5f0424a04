/** A number with its noun, such as `1 offer` or `12 offers`. */
export function countOf (count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
