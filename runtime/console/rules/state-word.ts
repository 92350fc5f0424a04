/** A state of the API as a word for people, such as `active` for `ACTIVE`. */
export function stateWord (name: string): string {
  return /^[A-Z_]+$/.test(name) || /^[a-z]+(?:[_-][a-z]+)+$/.test(name)
    ? name.toLowerCase().replaceAll(/[_-]/g, ' ')
    : name
}
