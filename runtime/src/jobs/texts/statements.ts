import { objectCondition } from '../statements.ts'

const isAboutObjects = objectCondition('$1')

/** Members of payloads that name an object or an event, and have no text of a platform. */
const keptMembers = [
  'externalId',
  'orderId',
  'status',
  'schemaVersion',
  'objectType',
  'eventType',
  'eventId',
  'occurredAt',
  'publishedAt',
  'requestId'
]

const keptList = keptMembers.map(name => `'${name}'`).join(', ')

const removedText = "'removed with the data of the buyer'"

export const selectUnended = `
  select distinct on (object_key) id, job_type as "jobType", object_key as "objectKey"
  from jobs
  where jobs.lane = 'command' and jobs.state is not null and ${isAboutObjects}
  order by object_key, id`

export const countWithTexts = `
  select count(*)::integer as count
  from jobs
  where jobs.state is null and ${isAboutObjects} and (
    exists (select from json_each(jobs.payload) where key not in (${keptList}))
    or jobs.result <> '{"removed": true}'
    or jobs.problem ->> 'message' <> ${removedText}
    or exists (
      select from jsonb_array_elements(jobs.attempts) as attempt
      where attempt #>> '{error,message}' <> ${removedText}
    )
  )`

// The code of a problem stays: the retry of many jobs looks for it.
export const updateTexts = `
  update jobs set
    payload = coalesce(
      (select json_object_agg(key, value) from json_each(payload) where key in (${keptList})),
      '{}'
    ),
    result = case when result is null then null else '{"removed": true}'::jsonb end,
    problem = case when problem is null then null
      else jsonb_build_object('code', problem -> 'code', 'message', ${removedText})
    end,
    attempts = (
      select coalesce(
        jsonb_agg(
          case when attempt ? 'error'
            then jsonb_set(attempt, '{error,message}', to_jsonb(${removedText}::text))
            else attempt
          end
          order by position
        ),
        '[]'
      )
      from jsonb_array_elements(jobs.attempts) with ordinality as made (attempt, position)
    )
  where jobs.state is null and ${isAboutObjects}`
