import type { Examples } from '../http/description/examples.ts'

export const backupExamples: Examples = {
  bodies: {},
  answers: { takeBackup: '(bytes of a gzip file)' }
}
