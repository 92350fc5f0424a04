/** A number with its noun, such as `1 job` or `3 jobs`. */
export function countOf (count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
