import { CredentialStoreNotAvailableError } from '../errors.ts'

// SQLSTATE of a statement about a table that is not there.
const undefinedTable = '42P01'

/**
 * The missing table of credentials in the words of the specification, section 7.3; any other error
 * as it is.
 */
export function toStoreFailure (error: unknown): unknown {
  const isMissing = error instanceof Error && 'code' in error && error.code === undefinedTable &&
    error.message.includes('integration_credentials')
  return isMissing ? Object.assign(new CredentialStoreNotAvailableError(), { cause: error }) : error
}
