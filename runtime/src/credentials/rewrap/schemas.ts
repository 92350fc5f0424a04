import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable } from '../../http/schemas.ts'

export const RewrapBody = Type.Object({
  dryRun: Type.Boolean({ default: false, description: 'Opens the secrets and changes nothing' })
}, { additionalProperties: false })

export const RewrapResult = Type.Object({
  dryRun: Type.Boolean(),
  keyId: Type.String({ description: 'Id of the newest key of `LINKER_CREDENTIALS_KEY`' }),
  rewrapped: Type.Array(Type.Object({
    what: Type.String(),
    count: Type.Integer({ description: 'Secrets that are sealed with it now, or would be after a dry run' }),
    unencrypted: Type.Integer({ description: 'Those of them that were not encrypted before' })
  })),
  failed: Type.Array(
    Type.Object({
      what: Type.String(),
      id: Type.String({ description: 'Id of the row' }),
      connectionId: Nullable(Id),
      connection: Nullable(Type.String({ description: 'Name of the connection' })),
      keyId: Nullable(Type.String({ description: 'Key that it is sealed with, as the row says' })),
      message: Type.String()
    }),
    { description: 'Secrets that no key opens; they stay as they are' }
  ),
  unusedKeyIds: Type.Array(Type.String(), {
    description: 'Older keys of `LINKER_CREDENTIALS_KEY` with which nothing is sealed any more'
  })
}, { $id: 'CredentialsRewrap' })
export type RewrapResult = Static<typeof RewrapResult>
