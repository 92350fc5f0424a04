import { withoutPersonalData, type RedactValue } from './personal-data.ts'
import { formatRecording, type RecordedExchange, type Recording } from './recording.ts'

export interface RecordingOptions {
  /** The time of the first request. */
  at?: Date | undefined
  /** Called for every value, after the personal data was replaced. */
  redact?: RedactValue | undefined
}

/** Makes a recording of exchanges that contain no secret any more. */
export function createRecording (
  exchanges: readonly RecordedExchange[],
  { at, redact }: RecordingOptions = {}
): Recording {
  return {
    ...(at === undefined ? {} : { recordedAt: at.toISOString() }),
    exchanges: withoutPersonalData(exchanges, redact)
  }
}

/**
 * Throws when a recording contains a secret that `redactText` knows. It should not: but a secret in
 * a file is published with the next commit.
 */
export function refuseSecrets (recording: Pick<Recording, 'exchanges'>, redactText: (text: string) => string): void {
  const at = recording.exchanges.findIndex(exchange => {
    const text = formatRecording({ exchanges: [exchange] })
    return redactText(text) !== text
  })
  if (at < 0) return
  const { method, path } = recording.exchanges[at]?.request ?? { method: '', path: '' }
  throw new Error(`exchange ${at}, ${redactText(`${method} ${path}`)}, would show a secret of the connection: ` +
    'the recording is not written')
}
