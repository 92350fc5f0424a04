/**
 * The settings on which the hub's statements depend. A server, a database or a role may set each of
 * them otherwise, and a pooler may lend a session that another client has changed. Settings of
 * costs, memory, parallelism, tablespaces and logs are not here, because they change no answer.
 * Neither are `synchronous_commit`, with which an operator decides how much a crash of the server
 * may lose; `default_transaction_read_only`, which says that the database must not change; `role`,
 * which decides whose the tables are; and `row_security`, because no table has a policy.
 */
const settings: readonly (readonly [name: string, value: string])[] = [
  // The form of what the hub reads.
  ['client_encoding', 'UTF8'],
  ['TimeZone', 'UTC'],
  ['DateStyle', 'ISO, MDY'],
  ['IntervalStyle', 'postgres'],
  ['bytea_output', 'hex'],
  ['extra_float_digits', '1'],
  ['quote_all_identifiers', 'off'],
  ['client_min_messages', 'warning'],
  // The meaning of a statement and of its parameters.
  ['standard_conforming_strings', 'on'],
  ['array_nulls', 'on'],
  ['transform_null_equals', 'off'],
  ['default_transaction_isolation', 'read committed'],
  ['default_transaction_deferrable', 'off'],
  // The end of a statement, of a transaction and of a connection. The hub has limits of its own,
  // but no server learns of them on a connection that went silent: the transaction there would keep
  // its locks for hours, and the same work on another connection would wait for them. The limit is
  // longer than the hub waits for an answer.
  ['lock_timeout', '0'],
  ['idle_in_transaction_session_timeout', '30000'],
  ['idle_session_timeout', '0'],
  ['transaction_timeout', '0'],
  ['exit_on_error', 'off'],
  // A server looks after two hours, by its default, whether a client is still there. Until then a
  // machine that lost its power or its network keeps the locks of its sessions.
  ['tcp_keepalives_idle', '60'],
  ['tcp_keepalives_interval', '10'],
  ['tcp_keepalives_count', '6'],
  // A prepared statement keeps its plan for a minute. If PostgreSQL plans a claim while the queue
  // is nearly empty, it chooses to read the whole table, once for each job that the claim looks at.
  // When a burst of jobs follows, the table is large, and such a claim takes many times as long.
  // The statements that run often have indexes to use instead.
  // This adds ten billion to the cost of a scan that remains. PostgreSQL would take such a
  // statement for a long one and compile it, which takes 0.4 s for one row.
  ['enable_seqscan', 'off'],
  ['jit', 'off'],
  ['plan_cache_mode', 'auto'],
  ['enable_indexscan', 'on'],
  ['enable_indexonlyscan', 'on'],
  ['enable_bitmapscan', 'on'],
  ['enable_nestloop', 'on'],
  ['enable_sort', 'on']
]

/** SQL: the schema with the tables of a hub, if exactly one is as the condition says. */
const schemaWhere = (condition: string): string => `
    (
      select min(nspname)
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relname = 'linker_migrations' and relkind = 'r' and ${condition}
      having count(*) = 1
    )`

/**
 * SQL: the schema of the hub's tables. The path decides, because each schema may have a hub of its
 * own. Only a path that names no schema at all lets the hub look for its tables elsewhere.
 */
const ownSchema = `
  coalesce(
    ${schemaWhere('pg_table_is_visible(pg_class.oid)')},
    nullif(current_schema(), 'pg_catalog'),
    ${schemaWhere('true')},
    'public'
  )`

/**
 * SQL: gives a session the hub's settings. The limit of a statement comes first, because it counts
 * for this statement, too. A version of PostgreSQL may lack a setting.
 */
export const ownSettings = `
  set statement_timeout = 0;
  select pg_catalog.set_config(name, value, false)
  from (values
    ${settings.map(([name, value]) => `('${name}', '${value}')`).join(', ')},
    ('search_path', quote_ident(${ownSchema}))
  ) as given (name, value)
  where current_setting(name, true) is not null`

/** SQL: lets a transaction wait for a file, a pipe or a network as long as it takes. */
export const mayIdle = 'set local idle_in_transaction_session_timeout = 0'

/** Sessions that the parts of a process use at the same time. */
export const sessions = { main: 10, publish: 3, listen: 1 } as const
export const mostSessions = sessions.main + sessions.publish + sessions.listen
