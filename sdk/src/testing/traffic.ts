import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { RedactValue } from '../host/recording/personal-data.ts'
import { parseRecording } from '../host/recording/recording.ts'
import { createValueRedactor } from '../host/redact.ts'
import { createConnectionSecrets, type ConnectionSecrets } from './connection-secrets.ts'
import { createRecorder, type Recorder } from './record.ts'
import { createReplay, type Replay } from './replay/replay.ts'

export interface TrafficOptions {
  record?: string | URL
  replay?: string | URL
  redact?: RedactValue
}

/** The traffic of a host with platforms: recorded, replayed, or neither. */
export interface Traffic {
  recorder?: Recorder
  replay?: Replay
  /** The time of the replayed recording. */
  recordedAt?: Date
  addConnection: ConnectionSecrets['add']
}

/** `credentials` returns those of all connections now, by the id of the connection. */
export function openTraffic (
  { record, replay, redact }: TrafficOptions,
  credentials: () => Readonly<Record<string, unknown>>
): Traffic {
  if (record !== undefined && replay !== undefined) throw new TypeError('a host either records or replays')
  const known = createConnectionSecrets()
  const secrets = (): string[] => known.list(credentials())
  const addConnection = known.add
  if (record !== undefined) {
    return { addConnection, recorder: createRecorder({ file: pathOf(record), redact, secrets }) }
  }
  if (replay === undefined) return { addConnection }
  const name = pathOf(replay)
  const recording = parseRecording(readFileSync(name, 'utf8'), name)
  const { recordedAt } = recording
  return {
    addConnection,
    replay: createReplay(recording, {
      name,
      redactText: text => String(createValueRedactor(secrets())(text)),
      redact
    }),
    ...(recordedAt === undefined ? {} : { recordedAt: new Date(recordedAt) })
  }
}

function pathOf (file: string | URL): string {
  return typeof file === 'string' ? file : fileURLToPath(file)
}
