/** A text as one word of a shell: quoted when the shell would read more into it. */
export function shellWord (text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
