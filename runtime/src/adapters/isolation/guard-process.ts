/**
 * Keeps what an inline adapter does from ending the process: an error that nobody handled and
 * `process.exit` are the adapter's own affair when `takeBlame` says that its code led there. Every
 * other error is `onFatal`'s.
 */
export function guardProcess (takeBlame: (error: unknown) => boolean, onFatal: (error: Error) => void): void {
  const judge = (error: unknown): void => {
    if (!takeBlame(error)) onFatal(error instanceof Error ? error : new Error(String(error)))
  }
  process.on('uncaughtException', judge)
  process.on('unhandledRejection', judge)

  const { exit } = process
  process.exit = code => {
    const refusal = new Error(`process.exit(${String(code ?? '')}) was called: only the hub ends its process`)
    if (takeBlame(refusal)) throw refusal
    return exit(code)
  }
}

/**
 * Keeps from the terminal what an inline adapter prints: it could control it, and is no line of the
 * log. `onPrinted` is told of it.
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
