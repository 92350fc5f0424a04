/**
 * Runs one statement with `$1` placeholders and returns its rows. Timestamps come back as
 * PostgreSQL writes them (`2026-01-31 09:59:33.912+00`), bigint as string.
 */
export type Query = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>
