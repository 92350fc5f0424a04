import { startServer as start } from './server.ts'

// The declarations of the published package. The other exports of index.ts are for the tests of
// this repository: their types name packages that are in the bundle, which nobody else has.

/** A hub that runs in this process. */
export interface RunningHub {
  /** The address that the hub listens on. */
  url: string
  /** Stops the hub, but not the process. */
  close(): Promise<void>
}

/**
 * Runs the hub in this process until a signal: reads the settings from the environment and from
 * linker.config.json in the folder, listens, and prints what was started. Calls `progress` with
 * each step of the start; without it, a terminal shows the steps.
 */
export const startServer: (
  environment: Readonly<Record<string, string | undefined>>,
  workingDirectory: string,
  progress?: (step: string) => void
) => Promise<RunningHub> = start
