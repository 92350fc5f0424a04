import { isoOf } from '../../database/iso-of.ts'

/** SQL: the pauses of a connection that stand, the one of the whole connection first, as JSON. */
export const pausesOf = (connectionId: string): string => `
  coalesce(
    (
      select jsonb_agg(
        jsonb_build_object(
          'capability', nullif(pause.capability, ''),
          'reason', pause.reason,
          'until', ${isoOf('pause.until')},
          'since', ${isoOf('pause.since')},
          'by', pause.paused_by
        )
        order by pause.capability
      )
      from connection_pauses as pause
      where pause.connection_id = ${connectionId} and coalesce(pause.until > now(), true)
    ),
    '[]'
  )`

export const selectPauses = `select ${pausesOf('$1')} as pauses`

// A change of a pause that has not ended keeps its beginning.
export const upsertPause = `
  insert into connection_pauses (connection_id, capability, reason, until, since, paused_by)
  values ($1, $2, $3, $4::timestamptz, clock_timestamp(), $5::jsonb)
  on conflict (connection_id, capability) do update
  set reason = excluded.reason, until = excluded.until, paused_by = excluded.paused_by,
    since = case
      when coalesce(connection_pauses.until > clock_timestamp(), true) then connection_pauses.since
      else excluded.since
    end`

export const deletePause = 'delete from connection_pauses where connection_id = $1 and capability = $2'

export const countPauses = 'select count(*)::integer as count from connection_pauses where connection_id = $1'

export const deletePauses = 'delete from connection_pauses where connection_id = $1'

export const selectIsAhead = 'select $1::timestamptz > clock_timestamp() as "isAhead"'
