/**
 * Keeps an inline adapter from ending the process. When `takeBlame` says that adapter code led to
 * an error that nobody handled, or to `process.exit`, the process goes on. Every other error goes
 * to `onFatal`.
 */
export function guardProcess (takeBlame: (error: unknown) => boolean, onFatal: (error: Error) => void): void {
  const judge = (error: unknown): void => {
    if (!takeBlame(error)) onFatal(error instanceof Error ? error : new Error(String(error)))
  }
  process.on('uncaughtException', judge)
  process.on('unhandledRejection', judge)

  const { exit } = process
  process.exit = code => {
    const refusal = new Error(`process.exit(${String(code ?? '')}) was called, but only the hub may end its process`)
    if (takeBlame(refusal)) throw refusal
    return exit(code)
  }
}

/**
 * Keeps the output of an inline adapter from the terminal: the output could control the terminal,
 * and is no line of the log. Calls `onPrinted` instead.
 */
export function guardOutput (isAdapterRunning: () => boolean, onPrinted: () => void): void {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
    const guarded = (...args: unknown[]): boolean => {
      if (!isAdapterRunning()) return write(...args)
      onPrinted()
      const done = args.find(argument => typeof argument === 'function')
      if (done !== undefined) queueMicrotask(done as () => void)
      return true
    }
    Object.assign(stream, { write: guarded })
  }
}
