import { CredentialStoreNotAvailableError } from '../errors.ts'

// The SQLSTATE with which PostgreSQL refuses a statement about a missing table.
const undefinedTable = '42P01'

/**
 * Reports a missing table of credentials in the words of the specification (section 7.3). Returns
 * any other error as it is.
 */
export function toStoreFailure (error: unknown): unknown {
  const isMissing = error instanceof Error && 'code' in error && error.code === undefinedTable &&
    error.message.includes('integration_credentials')
  return isMissing ? Object.assign(new CredentialStoreNotAvailableError(), { cause: error }) : error
}
