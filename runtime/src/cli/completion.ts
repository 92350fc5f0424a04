import tab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'
import pTimeout from 'p-timeout'
import type { ConnectionView } from '../connections/schemas.ts'
import { print } from '../terminal/print.ts'
import { createHubClient } from './hub-client.ts'

/** A person waits for the shell after each press of the key. */
const longestMs = 1_000

/** Sourcing the script a second time would fail at its constants. */
const bashHead = 'if ! declare -F __linker_complete >/dev/null; then'
/** The script calls a function of the package bash-completion, which many servers lack. */
const bashTail = `__linker_words() {
    words=("\${COMP_WORDS[@]}")
    cword=$COMP_CWORD
    cur=\${COMP_WORDS[COMP_CWORD]}
    prev=\${COMP_WORDS[COMP_CWORD - 1]}
}
if ! declare -F _get_comp_words_by_ref >/dev/null; then
    __linker_script=$(declare -f __linker_complete)
    eval "\${__linker_script/_get_comp_words_by_ref/__linker_words}"
    unset __linker_script
fi
fi`

/**
 * `linker completion <shell>` prints a script for the shell, which calls `linker complete` for each
 * completion. Call it when the program has all other commands.
 */
export async function addCompletion (program: Command, [name, shell]: readonly string[]): Promise<void> {
  const completion = tab(program, { completionCommandName: 'completion' })
  program.commands.find(command => command.name() === 'completion')
    ?.description('print the script that completes commands, options and names of connections in a shell')
  if (name === 'completion' && shell === 'bash') {
    program.hook('preAction', () => print(bashHead)).hook('postAction', () => print(bashTail))
  }
  if (name !== 'complete') return
  // End the process here: the request to a hub that does not answer would keep it for minutes.
  program.hook('postAction', () => process.exit(0))
  const connections = await readConnections()
  for (const { arguments: named } of completion.commands.values()) {
    const argument = named.get('connection')
    if (argument === undefined) continue
    argument.handler = complete => {
      for (const { word, description } of connections) complete(word, description)
    }
  }
}

interface Suggestion {
  word: string
  description: string
}

/** Returns no connections when no hub answers: completion must not print errors. */
async function readConnections (): Promise<Suggestion[]> {
  try {
    const asked = createHubClient(process.env, process.cwd(), {}).then(hub => hub.list('/connections'))
    const connections = await pTimeout(asked, { milliseconds: longestMs }) as ConnectionView[]
    return connections.map(({ id, name, platformType }) =>
      isOneWord(name)
        ? { word: name, description: platformType }
        : { word: id, description: `${name}, ${platformType}` }
    )
  } catch {
    return []
  }
}

/** Whether every shell takes the name as it is. */
function isOneWord (name: string): boolean {
  return /^[\w.@-]+$/.test(name)
}
