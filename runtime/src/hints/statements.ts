/**
 * How many rows were ever changed in the tables `$1`. PostgreSQL counts them itself, for all
 * processes; its sessions report what they changed about once a second.
 */
export const selectChanges = `
  select relname as name, (n_tup_ins + n_tup_upd + n_tup_del)::text as changes
  from pg_stat_user_tables
  where relid = any($1::text[]::regclass[])`
