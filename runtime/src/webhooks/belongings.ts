import type { Belonging } from '../connections/deletion/belongings.ts'
import { belonging } from '../connections/deletion/store.ts'
import { countSecrets, deleteSecrets } from './statements.ts'

export const secretsOfConnection: Belonging = belonging('webhook secrets', countSecrets, deleteSecrets)
