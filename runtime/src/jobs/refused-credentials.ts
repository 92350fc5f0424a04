const versions = new WeakMap<object, string>()

/** Remembers which credentials a platform refused: by the time that the connection is put into error, they may be others. */
export function noteRefused (error: object, credentialsVersion: string): void {
  versions.set(error, credentialsVersion)
}

/** `OpenConnection.credentialsVersion` of the call that failed so; undefined when it is not known. */
export function refusedVersionOf (error: unknown): string | undefined {
  return typeof error === 'object' && error !== null ? versions.get(error) : undefined
}
