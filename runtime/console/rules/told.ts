/** A text of the hub for people at a page: what it says, and the commands that it names. */
export interface Told {
  text: string
  commands: readonly string[]
}

/**
 * Parts a text of the hub from its clauses with `linker` commands: on a page, a button does the
 * same, and three commands in a row hide what happened.
 */
export function partCommands (told: string): Told {
  const clauses = clausesOf(told)
  const said = clauses.filter(clause => !clause.includes('`linker '))
  // Without a clause of its own, the command is all that it says.
  if (said.length === 0) return { text: told, commands: [] }
  const commands = [...told.matchAll(/`(linker [^`]+)`/g)].map(([, command = '']) => command)
  return { text: said.join(' ').replace(/;$/, '.'), commands }
}

/** Splits behind `;` and `.` where a space follows, but never inside backticks. */
function clausesOf (told: string): string[] {
  return Array.from(told.matchAll(/(?:`[^`]*`|[^])+?(?:[;.](?= )|$)/g), ([clause]) => clause.trim())
}

/** Whether a title has the count already, as in `4 jobs died`. */
export function saysCount (title: string, count: number): boolean {
  return new RegExp(`(?<![0-9])${count}(?![0-9])`).test(title)
}
