/** The logs of the hubs that run now. A test that waits in vain shows their ends. */
const logs = new Map<object, { name: string, lines: readonly string[] }>()

const mostLines = 12
const longestLine = 600

/** Shows the log of a hub until the returned function is called. */
export function watchLog (name: string, lines: readonly string[]): () => void {
  const key = {}
  logs.set(key, { name, lines })
  return () => {
    logs.delete(key)
  }
}

/** The last lines of each hub that runs, without the requests that went well. */
export function describeHubs (): string {
  return [...logs.values()].map(({ name, lines }) => {
    const last = lines.filter(line => !line.includes('"msg":"request"')).slice(-mostLines)
    return [`\nThe log of ${name} ends with:`, ...last.map(line => line.trim().slice(0, longestLine))].join('\n')
  }).join('')
}
