import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { recordChange } from '../../audit/store.ts'
import type { Database } from '../../database/database.ts'
import type { Sealing } from '../sealing.ts'
import { readKeyIds } from '../store.ts'
import { rewrap } from './rewrap.ts'
import { RewrapBody, RewrapResult } from './schemas.ts'
import type { SealedTable } from './sealed-table.ts'

export interface RewrapRoutesOptions {
  sealing: Sealing
  /** Returns all tables with secrets. */
  sealedTables(database: Database): readonly SealedTable[]
}

const routes: FastifyPluginAsyncTypebox<RewrapRoutesOptions> = async (app, { sealing, sealedTables }) => {
  app.addSchema(RewrapResult)
  const { database } = app

  app.post('/credentials/rewrap', {
    config: { scope: 'admin', dryRuns: true, problems: ['LNK_CREDENTIALS_KEY_MISSING'] },
    schema: {
      tags: ['operation'],
      operationId: 'rewrapCredentials',
      summary: 'Seal all stored secrets with the newest key of LINKER_CREDENTIALS_KEY',
      description: 'Works in steps while the hub runs. Secrets that no key opens are named and stay as they are.',
      body: RewrapBody,
      response: { 200: Type.Ref(RewrapResult) }
    }
  }, async ({ body: { dryRun: isDryRun } }) => {
    const [keyId] = sealing.keyIds
    // Recorded first: a process that dies half-way has changed something, too.
    if (!isDryRun && keyId !== undefined) {
      await recordChange(database.query, { action: 'credentials.rewrap', objectName: `key ${keyId}` })
    }
    return rewrap({ sealing, tables: sealedTables(database), readKeyIds: () => readKeyIds(database.query), isDryRun })
  })
}

export default routes
