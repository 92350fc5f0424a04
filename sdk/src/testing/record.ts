import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createRecording, refuseSecrets } from '../host/recording/create-recording.ts'
import type { RedactValue } from '../host/recording/personal-data.ts'
import { recordExchanges } from '../host/recording/record-exchanges.ts'
import { formatRecording } from '../host/recording/recording.ts'
import { createValueRedactor } from '../host/redact.ts'
import type { HttpExchange } from '../http/client.ts'

export interface RecorderOptions {
  file: string
  redact?: RedactValue | undefined
  /** Lists the secrets of all connections now; they change when a token is renewed. */
  secrets(): readonly string[]
}

/** Collects the traffic of a host. */
export interface Recorder {
  take(exchange: HttpExchange, at: Date): void
  /** Writes the file, once. Throws when there is no request, or the file would show a secret. */
  write(): Promise<void>
}

export function createRecorder ({ file, redact, secrets }: RecorderOptions): Recorder {
  const taken: HttpExchange[] = []
  const known = new Set<string>()
  let at: Date | undefined
  let isWritten = false

  function keepSecrets (): void {
    for (const secret of secrets()) known.add(secret)
  }

  return {
    take (exchange, now) {
      keepSecrets()
      // The adapter's side ended it, so it says nothing of the platform.
      if (exchange.failure === 'ABORTED') return
      at ??= now
      taken.push(exchange)
    },
    async write () {
      if (isWritten) return
      isWritten = true
      keepSecrets()
      if (taken.length === 0) throw new Error(`no request was sent, so ${file} is not written`)
      const redactKnown = createValueRedactor([...known])
      const redactText = (text: string): string => String(redactKnown(text))
      // Only now: a token may have been answered before it was known as a secret.
      const { exchanges } = recordExchanges(taken, redactText)
      const recording = createRecording(exchanges, { at, redact })
      refuseSecrets(recording, redactText)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, formatRecording(recording))
    }
  }
}
