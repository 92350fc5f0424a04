import { openDatabase } from '@linker/runtime'
import { join } from 'node:path'
import type { ModeEnvironment } from '../../support/modes.ts'

export type Query = Awaited<ReturnType<typeof openDatabase>>['query']

/** Where a hub keeps its state. */
export interface Place {
  /** The project of the hub. */
  directory: string
  state: ModeEnvironment
}

/** Works on the database of a hub that does not run: an embedded one takes only one process. */
export async function withDatabase<Result> (
  { directory, state: { mode, variables } }: Place,
  work: (query: Query) => Promise<Result>
): Promise<Result> {
  const { DATABASE_URL: databaseUrl } = variables
  const database = await openDatabase({
    dataDirectory: join(directory, '.linker'),
    ...(mode === 'embedded' || databaseUrl === undefined ? {} : { databaseUrl })
  }, { warn: () => undefined })
  try {
    // A million rows take longer than the hub waits for an answer.
    return await database.patiently(() => work(database.query))
  } finally {
    await database.close()
  }
}
