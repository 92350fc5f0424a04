/** SQL: a time as ISO 8601 text with milliseconds, in UTC. Null stays null. */
export const isoOf = (time: string): string => `to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
