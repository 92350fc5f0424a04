/**
 * Keeps what an inline adapter does from ending the process: an error that nobody handled and `process.exit` are the adapter's own affair when
 * `takeBlame` says that its code led there. Every other error is `onFatal`'s.
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
