import type { Belonging } from '../connections/deletion/belongings.ts'
import { belonging } from '../connections/deletion/store.ts'
import { countRefusals, deleteRefusals } from './refusals/statements.ts'
import { countSecrets, deleteSecrets } from './statements.ts'

export const webhooksOfConnection: readonly Belonging[] = [
  belonging('webhook secrets', countSecrets, deleteSecrets),
  belonging('counts of refused deliveries', countRefusals, deleteRefusals)
]
