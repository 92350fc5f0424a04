import { migrationsTable } from '../database/migrate.ts'
import { migrationNames } from '../database/migration-names.ts'
import { messageColumns } from '../streams/stored/message.ts'

/** The streams in the modes without Redis. In a backup, the messages of Redis are its rows, too. */
export const messagesTable = 'stream_messages'

/** The section with the state of the sequences. No table can have this name. */
export const sequencesSection = '(sequences)'
export const sequenceColumns = ['name', 'last_value', 'is_called'] as const

/**
 * Tables that no backup has, and that may have rows in an empty target: what made its tables, the
 * leases and signs of life of processes, which do not run in the restored hub, authorisations under
 * way, which end within minutes and hold client secrets, and sign-in codes: one that was used since
 * would work again.
 */
export const tablesOfTarget: readonly string[] = [
  migrationsTable,
  'hub_versions',
  'connection_locks',
  'processes',
  'flows',
  'authorisation_returns',
  'sign_in_codes'
]

/**
 * Tables that a hub fills by itself soon after it starts on an empty state. A target may have rows
 * in them; the rows of the backup replace them.
 */
export const tablesOfNewHub: readonly string[] = [
  'alert_channels',
  'alert_tellings',
  'figures',
  'log_levels',
  'platform_defaults',
  'samples'
]

/**
 * Every other table is copied with all its columns, but of `stream_messages` only those that a
 * message also has in Redis.
 */
export function columnsOf (table: string, all: readonly string[]): readonly string[] {
  return table === messagesTable ? messageColumns : all
}

/** Rows of these tables get new ids. */
const ownSequences: ReadonlySet<string> = new Set([`${messagesTable}_id_seq`, 'linker_migrations_id_seq'])

export function isCopiedSequence (name: string): boolean {
  return !ownSequences.has(name)
}

/** Returns the migrations of a backup that this hub does not know. */
export function unknownMigrations (migrations: readonly string[]): string[] {
  const known: readonly string[] = migrationNames
  return migrations.filter(name => !known.includes(name))
}
