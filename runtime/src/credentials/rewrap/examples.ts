import { exampleIds } from '../../http/description/example-ids.ts'
import type { Examples } from '../../http/description/examples.ts'

export const rewrapExamples: Examples = {
  bodies: { rewrapCredentials: { dryRun: true } },
  answers: {
    CredentialsRewrap: {
      dryRun: true,
      keyId: 'k2',
      rewrapped: [{ what: 'credentials', count: 12, unencrypted: 1 }],
      failed: [{
        what: 'webhook secrets',
        id: exampleIds.token,
        connectionId: exampleIds.shop,
        connection: 'My shop',
        keyId: 'k0',
        message: "the key 'k0' is not in LINKER_CREDENTIALS_KEY"
      }],
      unusedKeyIds: ['k1']
    }
  }
}
