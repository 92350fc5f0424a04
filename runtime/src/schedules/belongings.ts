import type { Belonging } from '../connections/deletion/belongings.ts'
import { belonging } from '../connections/deletion/store.ts'
import { countSettings, deleteSettings } from './statements.ts'

export const schedulesOfConnection: Belonging = belonging('settings of schedules', countSettings, deleteSettings)
