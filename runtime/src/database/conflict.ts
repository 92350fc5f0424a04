const serializationFailure = '40001'
const deadlockDetected = '40P01'
const foreignKeyViolation = '23503'
const uniqueViolation = '23505'
const mostTries = 5

/** Runs a transaction again when PostgreSQL ended it for the sake of another one. */
export async function repeatOnConflict<Result> (work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1;; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === mostTries || !(hasCode(error, serializationFailure) || hasCode(error, deadlockDetected))) {
        throw error
      }
    }
  }
}

/**
 * Runs work again when another request inserted the same row between its read and its insert. Its
 * second read then finds that row.
 */
export async function repeatOnceOnDuplicate<Result> (work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return work()
  }
}

export function isUniqueViolation (error: unknown): boolean {
  return hasCode(error, uniqueViolation)
}

/**
 * Whether PostgreSQL refused a row because the row that it refers to is missing, or a removal
 * because other rows refer to that row.
 */
export function isForeignKeyViolation (error: unknown): boolean {
  return hasCode(error, foreignKeyViolation)
}

function hasCode (error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
